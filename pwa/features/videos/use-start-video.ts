import { toast } from '#pwa/components/toast.ts';
import { type GenerationStart, useStartGeneration } from '#pwa/features/generations/use-start-generation.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { logUserAction } from '#pwa/lib/log.ts';
import { trackEvent } from '#pwa/lib/tag-manager.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { startVideo } from '#shared/contract/videos.ts';
import { toVideoSettings, type VideoForm } from './video-form.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

export interface StartRequest {
  photo: UploadedPhoto;
  form: VideoForm;
}

type Outcomes = Pick<
  GenerationStart<StartRequest, object, { generationId: string }>,
  'onStarted' | 'onAlreadyActive' | 'onRefused'
>;

/** Starts a video. */
export function useStartVideo({ onStarted, ...outcomes }: Outcomes) {
  return useStartGeneration({
    toBody: ({ photo, form }: StartRequest) => ({ imageId: photo.id, settings: toVideoSettings(form) }),
    send: (body, options) => callApi(startVideo, { body }, options),
    failedText: VIDEO_TEXTS.startFailed,
    errorType: 'video_generation_start',
    onStarted: (answer, request) => {
      logUserAction('generate_video');
      trackEvent('video_generation_start', {
        animation_type: request.form.preset,
        duration: request.form.duration,
        file_id: request.photo.id,
      });
      onStarted(answer, request);
    },
    tellFailure: (_error, message) => toast({ title: VIDEO_TEXTS.startFailed, description: message, tone: 'danger' }),
    ...outcomes,
  });
}
