import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { VideoSettings } from '#shared/contract/video-settings.ts';
import { getEngine, startGeneration } from './start-generation.ts';

interface VideoRequest {
  accountId: number;
  photoId: string;
  settings: VideoSettings;
  /** In stars. The video is refused at any other price. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/**
 * Starts a video from a photo. Throws video_length_unavailable and aspect_ratio_unavailable when the engine makes no
 * such video, and what startGeneration throws.
 */
export async function startVideo(app: AppContext, request: VideoRequest): Promise<{ generationId: string }> {
  const { accountId, photoId, settings, agreedPrice, idempotencyKey } = request;
  assertVideoMade(app, settings);
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

/** Throws tool_not_offered, video_length_unavailable, aspect_ratio_unavailable when no engine makes such a video. */
export function assertVideoMade(app: AppContext, { duration, aspectRatio }: VideoSettings): void {
  const { video } = getEngine(app, 'video').abilities;
  if (!video?.seconds.includes(duration)) throw new AppError('video_length_unavailable');
  if (!video.aspectRatios.includes(aspectRatio)) throw new AppError('aspect_ratio_unavailable');
}
