import { useEffect, useState } from 'react';
import { ignoreFailure, removeStored, writeStored } from '#pwa/device/storage.ts';
import { useStoredOnce } from '#pwa/device/use-stored-once.ts';
import { isPhotoGone, isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTOSESSION_TOOL, type PhotosessionView, type SessionSubject } from './photosession-tool.ts';

/** The photo that was not sent yet. Stored so that buying stars or a reload loses nothing. */
const PHOTO_KEY = 'photoshootPhoto';

export interface PhotosessionTool {
  control: GenerationControl<null, SessionSubject, PhotosessionView>;
  photo: UploadedPhoto | null;
  choosePhoto: (photo: UploadedPhoto) => void;
  start: () => void;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
  /** «Создать новую»: clears the photo. */
  reset: () => void;
}

/** The state of the photoshoot page, whose form is one photo. */
export function usePhotosessionTool(userId: number, onBuyStars: () => void): PhotosessionTool {
  const [chosen, setChosen] = useState<UploadedPhoto | null>(null);
  useStoredOnce(userId, PHOTO_KEY, uploadedPhoto, (saved) => {
    // The photo of a restored session, or one chosen meanwhile, is newer.
    setChosen((photo) => photo ?? saved);
  });
  const forget = () => ignoreFailure(removeStored(userId, PHOTO_KEY));
  const clear = () => {
    setChosen(null);
    forget();
  };
  const keepPhoto = (photo: UploadedPhoto) => {
    control.release();
    setChosen(photo);
    ignoreFailure(writeStored(userId, PHOTO_KEY, photo));
  };

  const control = useGenerationTool(PHOTOSESSION_TOOL, userId, {
    onCompleted: forget,
    onRefused({ code, error }) {
      if (error && isShortOfStars(error)) onBuyStars();
      if (error && isPhotoGone(code)) clear();
    },
    onPhoto: keepPhoto,
  });
  const { followed, isRunning, later } = control;
  const source = isRunning ? (followed?.subject.photo ?? null) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same photo.
  useEffect(() => {
    if (source) setChosen(source);
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
