import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { prepareScene } from './scene.ts';

/** The input of a thread that prepares a scene. Its only message is the scene. */
export interface SceneTask {
  /** JPEG, PNG or WebP. */
  photo: Uint8Array;
  /** The transparency that its file had. */
  mask: Uint8Array | null;
  /** In pixels, both divisible by eight (the size of the kernel's cells). */
  frame: FrameSize;
  category: ProductCategory;
}

// The thread does not end by itself, so what it has compiled is written now.
flushCompileCache();
// Every picture is used once, so a cache of operations would only occupy memory.
sharp.cache(false);
const { photo, mask, frame, category } = workerData as SceneTask;
const scene = await prepareScene(Buffer.from(photo), frame, category, mask && Buffer.from(mask));
parentPort!.postMessage(scene, [scene.subject.data.buffer, scene.ground.data.buffer]);
