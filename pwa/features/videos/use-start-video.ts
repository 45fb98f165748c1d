import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { logUserAction } from '#pwa/lib/log.ts';
import { createStartIntent, isUncertain } from '#pwa/lib/start-intent.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { IDEMPOTENCY_KEY_HEADER, startVideo } from '#shared/contract/videos.ts';
import { toVideoSettings, type VideoForm } from './video-form.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

export interface StartRequest {
  photo: UploadedPhoto;
  form: VideoForm;
}

export interface StartOutcomes {
  onStarted: (generationId: string, request: StartRequest) => void;
  /** Another video of this account runs; its id when the server told it. */
  onAlreadyActive: (generationId: string | null) => void;
  onRefused: (error: ApiError) => void;
}

/** Starts a video; a repeat after a lost answer carries the same Idempotency-Key. */
export function useStartVideo({ onStarted, onAlreadyActive, onRefused }: StartOutcomes) {
  const [intent] = useState(createStartIntent);
  return useMutation({
    mutationFn: ({ photo, form }: StartRequest) => {
      const body = { imageId: photo.id, settings: toVideoSettings(form) };
      return callApi(startVideo, { body }, { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(body) } });
    },
    onSuccess: ({ generationId }, request) => {
      intent.settle();
      logUserAction('generate_video');
      trackEvent('video_generation_start', {
        animation_type: request.form.preset,
        duration: request.form.duration,
        file_id: request.photo.id,
      });
      onStarted(generationId, request);
    },
    onError: (error) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (!isUncertain(status)) intent.settle();
      if (error instanceof ApiError && error.code === 'active_generation') {
        toast({ title: VIDEO_TEXTS.alreadyActive, description: VIDEO_TEXTS.alreadyActiveHint, tone: 'danger' });
        onAlreadyActive(error.details.generationId ?? null);
        return;
      }
      const message = describeError(error, VIDEO_TEXTS.startFailed);
      toast({ title: VIDEO_TEXTS.startFailed, description: message, tone: 'danger' });
      trackEvent('error_occurred', {
        error_type: 'video_generation_start',
        error_message: message,
        page_location: pageLocation(),
      });
      if (error instanceof ApiError) onRefused(error);
    },
  });
}
