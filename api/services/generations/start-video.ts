import type { AppContext } from '#api/services/app-context.ts';
import type { VideoSettings } from '#shared/contract/video-settings.ts';
import { startGeneration } from './start-generation.ts';

interface VideoRequest {
  accountId: number;
  photoId: string;
  settings: VideoSettings;
  /** In stars; another is not paid. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/** Starts a video of a photo; throws what startGeneration does. */
export function startVideo(app: AppContext, request: VideoRequest): Promise<{ generationId: string }> {
  const { accountId, photoId, settings, agreedPrice, idempotencyKey } = request;
  return startGeneration(app, {
    accountId,
    kind: 'video',
    photos: { subject: { imageId: photoId } },
    choice: settings,
    videoSeconds: settings.duration,
    agreedPrice,
    idempotencyKey,
  });
}
