import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { ignoreFailure, removeStored, writeStored } from '#pwa/device/storage.ts';
import { useStoredOnce } from '#pwa/device/use-stored-once.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { DEFAULT_VIDEO_FORM, type VideoForm, videoForm } from './video-form.ts';

const DRAFT_KEY = 'videoDraft';

/** The photo and the choices that were not sent yet. Stored so that a reload loses nothing. */
const videoDraft = z.object({ photo: uploadedPhoto, form: videoForm });

export function saveDraft(userId: number, draft: z.infer<typeof videoDraft>): Promise<void> {
  return writeStored(userId, DRAFT_KEY, draft);
}

export interface VideoDraftState {
  photo: UploadedPhoto | null;
  form: VideoForm;
}

export interface VideoDraftControl extends VideoDraftState {
  setPhoto: (photo: UploadedPhoto | null) => void;
  changeForm: (change: Partial<VideoForm>) => void;
  /** Takes over a photo and choices that are already stored elsewhere. */
  restore: (draft: VideoDraftState) => void;
  /** Removes the photo and keeps the choices. */
  dropPhoto: () => void;
  /** Resets everything to the defaults. */
  reset: () => void;
}

/** The photo and the choices of the page. Stored on the device once there is a photo. */
export function useVideoDraft(userId: number): VideoDraftControl {
  const [draft, setDraft] = useState<VideoDraftState>({ photo: null, form: DEFAULT_VIDEO_FORM });

  // Two changes before the next render: the second builds on the first.
  const latest = useRef(draft);
  const isTouched = useRef(false);
  const restore = (next: VideoDraftState) => {
    isTouched.current = true;
    latest.current = next;
    setDraft(next);
  };
  useStoredOnce(userId, DRAFT_KEY, videoDraft, (saved) => {
    if (!saved) return;
    const { photo, form } = latest.current;
    // What was restored or chosen meanwhile is newer.
    restore(isTouched.current ? { photo: photo ?? saved.photo, form } : saved);
  });
  const change = (part: Partial<VideoDraftState>) => {
    const { photo, form } = { ...latest.current, ...part };
    restore({ photo, form });
    if (photo) ignoreFailure(saveDraft(userId, { photo, form }));
  };
  const clear = (form: VideoForm) => {
    restore({ photo: null, form });
    ignoreFailure(removeStored(userId, DRAFT_KEY));
  };

  return {
    ...draft,
    setPhoto: (photo) => change({ photo }),
    changeForm: (part) => change({ form: { ...latest.current.form, ...part } }),
    restore,
    dropPhoto: () => clear(latest.current.form),
    reset: () => clear(DEFAULT_VIDEO_FORM),
  };
}
