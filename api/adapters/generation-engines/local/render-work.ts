import { Worker } from 'node:worker_threads';
import { createEncoder } from '#api/adapters/video-encoder/create-encoder.ts';
import { FrameRenderer } from './frame-renderer.ts';
import { FRAMES_PER_SECOND, type MotionSpan } from './motions.ts';
import type { Scene } from './scene.ts';
import type { SceneTask } from './scene-worker.ts';

export interface RenderVideoTask extends SceneTask {
  motion: MotionSpan;
  /** Its name in VIDEO_ENCODER. */
  encoder: string;
  outputPath: string;
}

/**
 * Makes one video and reports the share of frames that are done, 0 to 1. For another process: this thread draws, and the
 * encoder works beside it on threads or in a process of its own.
 */
export async function renderVideo(
  { motion, encoder, outputPath, ...task }: RenderVideoTask,
  report: (share: number) => void,
): Promise<{ verdict: Scene['verdict'] }> {
  const scene = await prepareInThread(task);
  // Loaded only now, because a scene takes the most memory while it is made.
  const { encode } = await createEncoder(encoder);
  const frames = drawFrames(new FrameRenderer(scene, motion), report);
  await encode({ ...task.frame, framesPerSecond: FRAMES_PER_SECOND, frames, outputPath });
  return { verdict: scene.verdict };
}

async function* drawFrames(renderer: FrameRenderer, report: (share: number) => void): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < renderer.frameCount; index++) {
    yield renderer.renderFrame(index);
    report((index + 1) / renderer.frameCount);
  }
}

/** The thread ends before the first frame is drawn, which gives back what sharp and its arrays have taken. */
async function prepareInThread(task: SceneTask): Promise<Scene> {
  const worker = new Worker(new URL('./scene-worker.ts', import.meta.url), { workerData: task, name: 'scene' });
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  } finally {
    await worker.terminate();
  }
}
