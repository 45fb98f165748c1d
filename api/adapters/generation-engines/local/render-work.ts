import { createEncoder } from '#api/adapters/video-encoder/create-encoder.ts';
import { type RenderVideoRequest, renderVideo as render } from './render-video.ts';
import type { Scene } from './scene.ts';

/** `encoder`: its name in VIDEO_ENCODER. */
export type RenderVideoTask = Omit<RenderVideoRequest, 'encoder' | 'onProgress'> & { encoder: string };

/** Makes one video and reports the share of frames that are done. For another process. */
export async function renderVideo(
  { encoder, ...task }: RenderVideoTask,
  report: (share: number) => void,
): Promise<{ verdict: Scene['verdict'] }> {
  return render({ ...task, encoder: await createEncoder(encoder), onProgress: report });
}
