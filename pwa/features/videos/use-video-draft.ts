import { useCallback, useRef, useState } from 'react';
import { ignoreFailure } from '#pwa/lib/storage.ts';
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

  // Two changes before the next render: the second builds on the first.
  const latest = useRef(draft);

  const restore = useCallback((next: VideoDraftState) => {
    latest.current = next;
    setDraft(next);
  }, []);
  const change = useCallback(
    (part: Partial<VideoDraftState>) => {
      const { photo, form } = { ...latest.current, ...part };
      restore({ photo, form });
      if (photo) ignoreFailure(saveDraft(userId, { photo, form }));
    },
    [userId, restore],
  );

  return {
    ...draft,
    setPhoto: useCallback((photo) => change({ photo }), [change]),
    changeForm: useCallback((part) => change({ form: { ...latest.current.form, ...part } }), [change]),
    restore,
    reset: useCallback(() => {
      restore({ photo: null, form: DEFAULT_VIDEO_FORM });
      ignoreFailure(forgetDraft(userId));
    }, [userId, restore]),
  };
}
