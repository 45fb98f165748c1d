import { Worker } from 'node:worker_threads';
import type { FrameEncoder } from '#api/adapters/video-encoder/video-encoder.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { FrameRing } from './frame-ring.ts';
import type { MotionSpan } from './motions.ts';
import type { RenderReady, RenderTask } from './render-worker.ts';
import type { Scene } from './scene.ts';
import type { SceneTask } from './scene-worker.ts';

export const FRAMES_PER_SECOND = 30;

export interface RenderVideoRequest {
  /** The source photo: JPEG, PNG or WebP. */
  photo: Uint8Array;
  /** The transparency that its file had. */
  mask: Uint8Array | null;
  /** In pixels, both divisible by eight (the size of the kernel's cells). */
  frame: FrameSize;
  category: ProductCategory;
  motion: MotionSpan;
  encoder: FrameEncoder;
  outputPath: string;
  /** Called for every frame passed to the encoder. `share` grows from 0 to 1. */
  onProgress?: (share: number) => void;
}

/**
 * Makes one video. One worker thread prepares the scene and ends, which gives back what sharp and its arrays have taken
 * for it. A second one draws, and the encoder reads the frames from shared memory. This thread only passes them on. The
 * threads have ended when this settles.
 */
export async function renderVideo(request: RenderVideoRequest): Promise<{ verdict: Scene['verdict'] }> {
  const { photo, mask, frame, category, motion } = request;
  const scene = await prepareInThread({ photo, mask, frame, category });
  const ringState = FrameRing.createState();
  const ring = new FrameRing(ringState);
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    workerData: { scene, motion, ringState } satisfies RenderTask,
    transferList: [scene.subject.data.buffer, scene.ground.data.buffer],
    name: 'render',
  });
  const threadFailed = new Promise<never>((_, reject) => worker.once('error', reject));
  const stopEncoder = new AbortController();
  try {
    const ready = await Promise.race([
      new Promise<RenderReady>((resolve) => worker.once('message', resolve)),
      threadFailed,
    ]);
    const encoding = request.encoder.encode({
      ...frame,
      framesPerSecond: motion.framesPerSecond,
      frames: readFrames(ring, ready, (share) => request.onProgress?.(share)),
      outputPath: request.outputPath,
      signal: stopEncoder.signal,
    });
    // A failing thread also stops the encoder. The thread may be terminated only after both have released the memory.
    threadFailed.catch((error: unknown) => {
      ring.stop();
      stopEncoder.abort(error);
    });
    await encoding;
    return { verdict: scene.verdict };
  } finally {
    threadFailed.catch(() => undefined);
    ring.stop();
    await worker.terminate();
  }
}

async function prepareInThread(task: SceneTask): Promise<Scene> {
  const worker = new Worker(new URL('./scene-worker.ts', import.meta.url), { workerData: task, name: 'scene' });
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  } finally {
    await worker.terminate();
  }
}

async function* readFrames(
  ring: FrameRing,
  ready: RenderReady,
  onProgress: (share: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < ready.frameCount; index++) {
    if (!(await ring.waitForFrame(index))) return;
    yield new Uint8Array(ready.memory, ready.slotOffsets[index % ready.slotOffsets.length], ready.frameBytes);
    ring.markTaken(index + 1);
    onProgress((index + 1) / ready.frameCount);
  }
}
