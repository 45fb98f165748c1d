import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { ignoreFailure, readStored, removeStored, writeStored } from '#pwa/lib/storage.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { EMPTY_DRAFT, fillGaps, WIZARD_STEPS } from './wizard.ts';

const DRAFT_KEY = 'changeModelDraft';

/** Choices that were not sent yet, so that a way to buy stars or a reload loses no work. */
const savedDraft = z.object({
  photo: uploadedPhoto.nullable(),
  modelId: z.string().nullable(),
  backgroundId: z.string().nullable(),
  step: z.enum(WIZARD_STEPS),
});
type SavedDraft = z.infer<typeof savedDraft>;

const FIRST: SavedDraft = { ...EMPTY_DRAFT, step: 'photo' };

export interface WizardDraftControl {
  draft: SavedDraft;
  /** False until the device's record has been read. */
  isRead: boolean;
  /** Takes over a part; kept on the device. */
  change: (part: Partial<SavedDraft>) => void;
  /** Takes over what is stored somewhere already, or is not to be. */
  restore: Dispatch<SetStateAction<SavedDraft>>;
  /** Back to the first step with nothing chosen. */
  reset: () => void;
  /** The device keeps it no longer; what is in sight stays. */
  forget: () => void;
}

/** The choices and the step of the wizard, kept on the device. */
export function useWizardDraft(userId: number): WizardDraftControl {
  const [draft, setDraft] = useState(FIRST);
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const takeOver = (saved: SavedDraft | null) => {
      if (!isCurrent) return;
      // A generation that was restored meanwhile has its own step, and fills only what is not chosen.
      const follows = (previous: SavedDraft) => (previous.step === 'photo' ? saved?.step : null) ?? previous.step;
      if (saved) setDraft((previous) => ({ ...fillGaps(saved, previous), step: follows(previous) }));
      setIsRead(true);
    };
    readStored(userId, DRAFT_KEY, savedDraft).then(takeOver, () => takeOver(null));
    return () => {
      isCurrent = false;
    };
  }, [userId]);

  const forget = useCallback(() => ignoreFailure(removeStored(userId, DRAFT_KEY)), [userId]);
  return {
    draft,
    isRead,
    change: useCallback(
      (part) =>
        setDraft((previous) => {
          const next = { ...previous, ...part };
          ignoreFailure(writeStored(userId, DRAFT_KEY, next));
          return next;
        }),
      [userId],
    ),
    restore: setDraft,
    reset: useCallback(() => {
      setDraft(FIRST);
      forget();
    }, [forget]),
    forget,
  };
}
