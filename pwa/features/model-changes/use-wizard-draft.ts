import { type Dispatch, type SetStateAction, useState } from 'react';
import * as z from 'zod/mini';
import { ignoreFailure, removeStored, writeStored } from '#pwa/device/storage.ts';
import { useStoredOnce } from '#pwa/device/use-stored-once.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { EMPTY_DRAFT, fillGaps, WIZARD_STEPS } from './wizard.ts';

const DRAFT_KEY = 'changeModelDraft';

/** Choices that were not sent yet. Stored so that buying stars or a reload loses nothing. */
const savedDraft = z.object({
  photo: z.nullable(uploadedPhoto),
  modelId: z.nullable(z.string()),
  backgroundId: z.nullable(z.string()),
  step: z.enum(WIZARD_STEPS),
});
type SavedDraft = z.infer<typeof savedDraft>;

const FIRST: SavedDraft = { ...EMPTY_DRAFT, step: 'photo' };

export interface WizardDraftControl {
  draft: SavedDraft;
  /** False until the device's record has been read. */
  isRead: boolean;
  /** Changes a part of the draft and stores it. */
  change: (part: Partial<SavedDraft>) => void;
  /** Changes the draft without storing it: the choices are stored elsewhere or must not be. */
  restore: Dispatch<SetStateAction<SavedDraft>>;
  /** Returns to the first step with nothing chosen. */
  reset: () => void;
  /** Removes the draft from the device. The shown choices stay. */
  forget: () => void;
}

/** The choices and the step of the wizard, stored on the device. */
export function useWizardDraft(userId: number): WizardDraftControl {
  const [draft, setDraft] = useState(FIRST);
  const [isRead, setIsRead] = useState(false);
  useStoredOnce(userId, DRAFT_KEY, savedDraft, (saved) => {
    // A generation restored in the meantime keeps its step, and the saved choices only fill gaps.
    const follows = (previous: SavedDraft) => (previous.step === 'photo' ? saved?.step : null) ?? previous.step;
    if (saved) setDraft((previous) => ({ ...fillGaps(saved, previous), step: follows(previous) }));
    setIsRead(true);
  });

  const forget = () => ignoreFailure(removeStored(userId, DRAFT_KEY));
  return {
    draft,
    isRead,
    change: (part) =>
      setDraft((previous) => {
        const next = { ...previous, ...part };
        ignoreFailure(writeStored(userId, DRAFT_KEY, next));
        return next;
      }),
    restore: setDraft,
    reset: () => {
      setDraft(FIRST);
      forget();
    },
    forget,
  };
}
