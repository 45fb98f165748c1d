import { type Dispatch, type SetStateAction, useCallback, useState } from 'react';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { forgetDraft, type SavedDraft, saveDraft } from './saved-model-change.ts';
import { EMPTY_DRAFT } from './wizard.ts';

const FIRST: SavedDraft = { ...EMPTY_DRAFT, step: 'photo' };

export interface WizardDraftControl {
  draft: SavedDraft;
  /** Takes over a part; kept on the device. */
  change: (part: Partial<SavedDraft>) => void;
  /** Takes over what is stored somewhere already, or is not to be. */
  restore: Dispatch<SetStateAction<SavedDraft>>;
  /** Back to the first step with nothing chosen. */
  reset: () => void;
}

/** The choices and the step of the wizard, kept on the device. */
export function useWizardDraft(userId: number): WizardDraftControl {
  const [draft, setDraft] = useState(FIRST);
  return {
    draft,
    change: useCallback(
      (part) =>
        setDraft((previous) => {
          const next = { ...previous, ...part };
          ignoreFailure(saveDraft(userId, next));
          return next;
        }),
      [userId],
    ),
    restore: setDraft,
    reset: useCallback(() => {
      setDraft(FIRST);
      ignoreFailure(forgetDraft(userId));
    }, [userId]),
  };
}
