import { useEffect } from 'react';
import { isPhotoGone, isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { type DraftRecord, useStoredDraft, withArticle } from '#pwa/features/generations/use-stored-draft.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTOSESSION_TOOL, type PhotosessionView, type SessionSubject } from './photosession-tool.ts';

export const PHOTO_DRAFT: DraftRecord<UploadedPhoto | null> = {
  name: 'photoshootPhoto',
  shape: uploadedPhoto,
  empty: null,
  // The photo of a restored session, or one chosen meanwhile, is newer.
  join: (saved, current) => current ?? saved,
};

export interface PhotosessionTool {
  control: GenerationControl<null, SessionSubject, PhotosessionView>;
  photo: UploadedPhoto | null;
  choosePhoto: (photo: UploadedPhoto) => void;
  /** Takes over another article of the same photo. */
  changeArticle: (photo: UploadedPhoto) => void;
  start: () => void;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
  /** «Создать новую»: drops the session and its photo. */
  reset: () => void;
}

/** The state of the photoshoot page, whose form is one photo. */
export function usePhotosessionTool(userId: number, onBuyStars: () => void): PhotosessionTool {
  const { draft: chosen, change, restore, forget } = useStoredDraft(userId, PHOTO_DRAFT);
  const clear = () => {
    restore(() => null);
    forget();
  };
  const keepPhoto = (photo: UploadedPhoto) => {
    control.release();
    change(() => photo);
  };

  const control = useGenerationTool(PHOTOSESSION_TOOL, userId, {
    onCompleted: forget,
    onRefused({ code, error }) {
      if (error && isShortOfStars(error)) onBuyStars();
      if (error && isPhotoGone(code)) clear();
    },
    onPhoto: keepPhoto,
    // After an end nothing is stored any more.
    onSource: (source) => restore((current) => withArticle(current, source)),
  });
  const { followed, isRunning, later } = control;
  const source = isRunning ? (followed?.subject.photo ?? null) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same photo.
  useEffect(() => {
    if (source) restore(() => source);
  }, [source?.id]);
  // The page must show what it starts: while another photo is queued, the previous one is hidden.
  const photo = later.hasWaitingPhoto ? null : chosen;

  return {
    control,
    photo,
    choosePhoto: (picked) => {
      later.withdraw();
      keepPhoto(picked);
    },
    changeArticle: (changed) => change((current) => withArticle(current, changed)),
    start: () => {
      if (photo) control.start({ photo, form: null });
    },
    startLater: () => control.startLater(null, photo),
    reset: () => {
      control.release();
      later.withdraw();
      clear();
    },
  };
}
