import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { uploadFile } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { createStartIntent, isUncertain } from '#pwa/lib/start-intent.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/videos.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

export interface StartOutcomes {
  onStarted: (sessionId: string, photo: UploadedPhoto) => void;
  /** Another session of this account runs; its id when the server told it. */
  onAlreadyActive: (sessionId: string | null) => void;
  onNotEnoughStars: () => void;
  onRefused: (error: ApiError) => void;
}

/** Starts a session; a repeat after a lost answer carries the same Idempotency-Key. */
export function useStartPhotosession({ onStarted, onAlreadyActive, onNotEnoughStars, onRefused }: StartOutcomes) {
  const [intent] = useState(createStartIntent);
  return useMutation({
    mutationFn: (photo: UploadedPhoto) => {
      const fields = { imageId: photo.id };
      return uploadFile(
        startPhotosession,
        { fields },
        { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(fields) } },
      );
    },
    onSuccess: ({ sessionId }, photo) => {
      intent.settle();
      onStarted(sessionId, photo);
    },
    onError: (error) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (!isUncertain(status)) intent.settle();
      if (error instanceof ApiError && error.code === 'active_generation') {
        toast({
          title: PHOTOSESSION_TEXTS.alreadyActive,
          description: PHOTOSESSION_TEXTS.alreadyActiveHint,
          tone: 'danger',
        });
        return onAlreadyActive(error.details.generationId ?? null);
      }
      const message = describeError(error, PHOTOSESSION_TEXTS.startFailedHint);
      if (isShortOfStars(error)) {
        toast({
          title: PHOTOSESSION_TEXTS.notEnoughStars,
          description: PHOTOSESSION_TEXTS.notEnoughStarsHint,
          tone: 'danger',
        });
        onNotEnoughStars();
      } else {
        toast({ title: PHOTOSESSION_TEXTS.failed, description: message, tone: 'danger' });
      }
      trackEvent('error_occurred', {
        error_type: 'photosession_start',
        error_message: message,
        page_location: pageLocation(),
      });
      if (error instanceof ApiError) onRefused(error);
    },
  });
}

/** By the code; by the text where another server sends none. */
export function isShortOfStars(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code ? error.code === 'not_enough_stars' : /недостаточно зв[её]зд/i.test(error.serverMessage ?? '');
}
