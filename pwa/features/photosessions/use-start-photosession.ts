import { toast } from '#pwa/components/toast.ts';
import {
  type GenerationStart,
  isShortOfStars,
  useStartGeneration,
} from '#pwa/features/generations/use-start-generation.ts';
import { uploadFile } from '#pwa/lib/api-client.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

type Outcomes = Pick<
  GenerationStart<UploadedPhoto, object, { sessionId: string }>,
  'onStarted' | 'onAlreadyActive' | 'onRefused'
>;

/** Starts a session of frames of one photo. */
export function useStartPhotosession({ onNotEnoughStars, ...outcomes }: Outcomes & { onNotEnoughStars: () => void }) {
  return useStartGeneration({
    toBody: (photo: UploadedPhoto) => ({ imageId: photo.id }),
    send: (fields, options) => uploadFile(startPhotosession, { fields }, options),
    failedText: PHOTOSESSION_TEXTS.startFailedHint,
    errorType: 'photosession_start',
    tellFailure: (error, message) => {
      if (!isShortOfStars(error)) {
        return toast({ title: PHOTOSESSION_TEXTS.failed, description: message, tone: 'danger' });
      }
      toast({
        title: PHOTOSESSION_TEXTS.notEnoughStars,
        description: PHOTOSESSION_TEXTS.notEnoughStarsHint,
        tone: 'danger',
      });
      onNotEnoughStars();
    },
    ...outcomes,
  });
}
