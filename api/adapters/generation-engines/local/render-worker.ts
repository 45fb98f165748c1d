import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { FrameRenderer } from './frame-renderer.ts';
import { FrameRing, RING_SLOTS } from './frame-ring.ts';
import type { MotionSpan } from './motions.ts';
import type { Scene } from './scene.ts';

/** The input of a render thread. */
export interface RenderTask {
  scene: Scene;
  motion: MotionSpan;
  ringState: SharedArrayBuffer;
}

/** The only message of a render thread, sent before the first frame. */
export interface RenderReady {
  memory: SharedArrayBuffer;
  slotOffsets: readonly number[];
  frameBytes: number;
  frameCount: number;
}

// The thread does not end by itself, so what it has compiled is written now.
flushCompileCache();
const { scene, motion, ringState } = workerData as RenderTask;
const renderer = new FrameRenderer(scene, motion, RING_SLOTS);
const ring = new FrameRing(ringState);
const ready: RenderReady = {
  memory: renderer.memory.buffer,
  slotOffsets: renderer.slotOffsets,
  frameBytes: renderer.frameBytes,
  frameCount: renderer.frameCount,
};
parentPort!.postMessage(ready);
for (let index = 0; index < renderer.frameCount; index++) {
  if (!ring.waitForRoom(index)) break;
  renderer.renderFrame(index);
  ring.markRendered(index);
}
