import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { lowerPriority } from '#api/work-processes/lower-priority.ts';
import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { FrameRenderer } from './frame-renderer.ts';
import { FrameRing, RING_SLOTS } from './frame-ring.ts';
import type { MotionSpan } from './motions.ts';
import type { FrameSize } from './placement.ts';
import { prepareScene, type Scene } from './scene.ts';

/** The input of a render thread. */
export interface RenderTask {
  photo: Uint8Array;
  frame: FrameSize;
  category: ProductCategory;
  motion: MotionSpan;
  ringState: SharedArrayBuffer;
}

/** The only message of a render thread, sent when the scene is prepared and frames follow. */
export interface RenderReady {
  memory: SharedArrayBuffer;
  slotOffsets: readonly number[];
  frameBytes: number;
  frameCount: number;
  verdict: Scene['verdict'];
}

lowerPriority();
// Every picture is used once, so a cache of operations would only occupy memory.
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
