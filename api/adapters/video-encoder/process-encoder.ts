import { workIn } from '#api/platform/work-processes/work-process.ts';
import type * as EncoderWork from './encoder-work.ts';
import type { VideoEncoder } from './video-encoder.ts';

/**
 * Storing a video takes several steps, one after the other, and an album several copies. Between two videos the next
 * render needs the memory.
 */
const REUSE = { maxTasks: 12, idleMs: 1_000 };
const MODULE = new URL('./encoder-work.ts', import.meta.url);

/** Works on videos in other processes, with the encoder of this name in VIDEO_ENCODER. */
export function createProcessEncoder(encoder: string): VideoEncoder {
  const run = workIn<typeof EncoderWork>(MODULE, REUSE);
  // A copy with the logo is made when somebody looks at the video. Like all work of a kept process, it is done once more
  // in a new one after a crash.
  const runAwaited = workIn<typeof EncoderWork>(MODULE, { ...REUSE, isAwaited: true });
  return {
    name: encoder,
    warmUp: () => run.warmUp({ name: 'load', task: { encoder } }),
    addWatermark: ({ signal, ...request }) => runAwaited('addWatermark', { encoder, ...request }, { signal }),
    transform: ({ signal, ...request }) => run('transform', { encoder, ...request }, { signal }),
    readFrames: (inputPath, atSeconds, signal) => run('readFrames', { encoder, inputPath, atSeconds }, { signal }),
    readFirstFrame: (inputPath, signal) => run('readFirstFrame', { encoder, inputPath }, { signal }),
    makePosters: (inputPath, signal) => run('makePosters', { encoder, inputPath }, { signal }),
    probe: (inputPath, signal) => run('probe', { encoder, inputPath }, { signal }),
  };
}
