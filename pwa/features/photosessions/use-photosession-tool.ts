import { useEffect } from 'react';
import { isPhotoGone, isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import {
  type DraftRecord,
  isOtherPhoto,
  useStoredDraft,
  withArticle,
} from '#pwa/features/generations/use-stored-draft.ts';
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
  /** Whether the form shows the photo of the shown session, and no other one was chosen yet. */
  isFormMade: boolean;
  start: () => void;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
  /** Drops an ended session, and its photo. Another photo that is there stays. */
  nextPhoto: () => void;
}

/**
 * The state of the photoshoot page, whose form is one photo. `focusAfter` makes a change of the form and moves the focus
 * to its upload.
 */
export function usePhotosessionTool(
  userId: number,
  onBuyStars: () => void,
  focusAfter: (change: () => void) => void,
): PhotosessionTool {
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
    onCompleted({ subject }) {
      if (chosen?.id === subject.photo?.id) forget();
    },
    onQueued({ photo: queued }) {
      if (chosen?.id === queued.id) focusAfter(clear);
    },
    onRefused({ code, error }) {
      if (error && isShortOfStars(error)) onBuyStars();
      if (error && isPhotoGone(code)) clear();
    },
    onPhoto: keepPhoto,
    // After an end nothing is stored any more.
    onSource: (source) => restore((current) => withArticle(current, source)),
  });
  const { followed, isRunning, later } = control;
  const made = followed?.subject.photo ?? null;
  const source = isRunning ? made : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same photo.
  useEffect(() => {
    if (source) restore((current) => current ?? source);
  }, [source?.id]);
  // The page must show what it starts: while another photo is queued, the previous one is hidden.
  const photo = later.hasWaitingPhoto ? null : chosen;

  return {
    control,
    photo,
    isFormMade: followed !== null && (made === null || photo?.id === made.id),
    choosePhoto: (picked) => {
      later.withdraw();
      keepPhoto(picked);
    },
    changeArticle: (changed) => change((current) => withArticle(current, changed)),
    start: () => {
      if (photo) control.order({ photo, form: null });
    },
    startLater: () => control.startLater(null, photo),
    nextPhoto: () => {
      control.release();
      if (isOtherPhoto(chosen, made)) return;
      later.withdraw();
      clear();
    },
  };
}
