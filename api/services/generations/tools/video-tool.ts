import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getEngine } from '#api/services/core/tool-abilities.ts';
import { storedVideoSettings, type VideoSettings, videoSettings } from '#shared/contract/video-settings.ts';
import type { GenerationTool, ViewOfKind } from './generation-tool.ts';
import { videoStore } from './video-results.ts';

/** A video from a photo. Throws tool_not_offered, video_length_unavailable, aspect_ratio_unavailable. */
export const videoTool: GenerationTool<'video'> = {
  prepare(app, { choice }) {
    assertVideoMade(app, choice);
    return { choice, videoSeconds: choice.duration };
  },
  prepareAgain(app, settings) {
    const made = videoSettings.parse(settings);
    assertVideoMade(app, made);
    return { choice: settings, videoSeconds: made.duration };
  },
  store: videoStore,
  view: (settings) => ({ kind: 'video', settings: storedVideoSettings.parse(settings) }),
  viewForm: (settings) => storedVideoSettings.parse(settings),
};

function assertVideoMade(app: AppContext, { duration, aspectRatio }: VideoSettings): void {
  const { video } = getEngine(app, 'video').abilities;
  if (!video?.seconds.includes(duration)) throw new AppError('video_length_unavailable');
  if (!video.aspectRatios.includes(aspectRatio)) throw new AppError('aspect_ratio_unavailable');
}

/** A video in the format of the video endpoints. */
export function presentVideoState({ id, status, failure, results: [result], progress }: ViewOfKind<'video'>) {
  return {
    status,
    videoUrl: result?.url ?? null,
    videoId: id,
    error: failure?.message ?? null,
    message: failure?.message ?? null,
    code: failure?.code ?? null,
    posterUrl: result?.previewUrl ?? null,
    duration: result?.durationSeconds ?? null,
    progress,
  };
}
