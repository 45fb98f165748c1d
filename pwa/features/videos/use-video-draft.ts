import { useCallback, useState } from 'react';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { forgetDraft, saveDraft } from './saved-generation.ts';
import { DEFAULT_VIDEO_FORM, type VideoForm } from './video-form.ts';

export interface VideoDraftState {
  photo: UploadedPhoto | null;
  form: VideoForm;
}

export interface VideoDraftControl extends VideoDraftState {
  setPhoto: (photo: UploadedPhoto) => void;
  changeForm: (change: Partial<VideoForm>) => void;
  /** Takes over a photo and choices that are already stored somewhere. */
  restore: (draft: VideoDraftState) => void;
  /** Everything back to the defaults. */
  reset: () => void;
}

/** The photo and the choices of the page; kept on the device as soon as there is a photo to lose. */
export function useVideoDraft(userId: number): VideoDraftControl {
  const [draft, setDraft] = useState<VideoDraftState>({ photo: null, form: DEFAULT_VIDEO_FORM });

  const change = useCallback(
    (compute: (draft: VideoDraftState) => VideoDraftState) => {
      setDraft((previous) => {
        const next = compute(previous);
        if (next.photo) ignoreFailure(saveDraft(userId, { photo: next.photo, form: next.form }));
        return next;
      });
    },
    [userId],
  );

  return {
    ...draft,
    setPhoto: useCallback((photo) => change((previous) => ({ ...previous, photo })), [change]),
    changeForm: useCallback(
      (part) => change((previous) => ({ ...previous, form: { ...previous.form, ...part } })),
      [change],
    ),
    restore: setDraft,
    reset: useCallback(() => {
      setDraft({ photo: null, form: DEFAULT_VIDEO_FORM });
      ignoreFailure(forgetDraft(userId));
    }, [userId]),
  };
}

/** Without the device's storage the page works on; only a reload then loses what was not sent. */
export function ignoreFailure(write: Promise<void>): void {
  write.catch((error: unknown) => console.warn('the device keeps nothing:', error));
}
