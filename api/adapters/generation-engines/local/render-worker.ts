import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { FrameRenderer } from './frame-renderer.ts';
import { FrameRing, RING_SLOTS } from './frame-ring.ts';
import { lowerPriority } from './lower-priority.ts';
import type { MotionSpan } from './motions.ts';
import { type FrameSize, prepareScene, type Scene } from './scene.ts';

/** What a render thread is started with. */
export interface RenderTask {
  photo: Uint8Array;
  frame: FrameSize;
  category: ProductCategory;
  motion: MotionSpan;
  ringState: SharedArrayBuffer;
}

/** The one message a render thread sends, when the scene is prepared and frames begin. */
export interface RenderReady {
  memory: SharedArrayBuffer;
  slotOffsets: readonly number[];
  frameBytes: number;
  frameCount: number;
  verdict: Scene['verdict'];
}

lowerPriority();
// Every picture is touched once: a cache of operations would only hold memory.
sharp.cache(false);
const task = workerData as RenderTask;
const scene = await prepareScene(Buffer.from(task.photo), task.frame, task.category);
const renderer = new FrameRenderer(scene, task.motion, RING_SLOTS);
const ring = new FrameRing(task.ringState);
const ready: RenderReady = {
  memory: renderer.memory.buffer,
  slotOffsets: renderer.slotOffsets,
  frameBytes: renderer.frameBytes,
  frameCount: renderer.frameCount,
  verdict: scene.verdict,
};
parentPort!.postMessage(ready);
for (let index = 0; index < renderer.frameCount; index++) {
  if (!ring.waitForRoom(index)) break;
  renderer.renderFrame(index);
  ring.markRendered(index);
}
