import { createRequire } from 'node:module';
import type * as OpenCv from '@techstark/opencv-js';

let loading: Promise<{ cv: typeof OpenCv }> | undefined;

/**
 * Loads OpenCV. Compiling it takes half a second and its calls block, so use it only in processes for work. The module
 * is wrapped in an object, because it has a `then` that never settles: awaiting it would hang.
 */
export function loadOpenCv(): Promise<{ cv: typeof OpenCv }> {
  loading ??= (async () => {
    const require = createRequire(import.meta.url);
    const cv = require('@techstark/opencv-js') as typeof OpenCv & {
      onRuntimeInitialized?: () => void;
    };
    if (!cv.Mat) await new Promise<void>((resolve) => (cv.onRuntimeInitialized = resolve));
    return { cv };
  })();
  return loading;
}
