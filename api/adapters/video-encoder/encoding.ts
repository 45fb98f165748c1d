import type { VideoChange, VideoFacts } from './video-encoder.ts';

/** How every video of the service is encoded, by whichever adapter. */
export const ENCODING = {
  preset: 'veryfast',
  /** Constant quality: visually clean at listing size, about 0.2 MB a second. */
  crf: 20,
  keyframeSeconds: 2,
  maxBFrames: 2,
  /** Two are enough to keep up with the renderer, and two jobs still leave the API its share. */
  threads: 2,
} as const;

/** The rest is left for the index and for what the rate control is off by. */
const SHRINK_SHARE = 0.92;
/** The rate may be passed for so long; a whole video may be over by what fits into this buffer. */
export const RATE_BUFFER_SECONDS = 0.5;

/** The change of the picture as a graph of FFmpeg's filters; null where the picture stays as it is. */
export function describeFilter(change: VideoChange): string | null {
  switch (change.kind) {
    case 'crop':
      return `crop=${change.width}:${change.height}:${change.left}:${change.top}`;
    case 'pad':
      return `pad=${change.width}:${change.height}:${change.left}:${change.top}:0x${change.colour.slice(1)}`;
    case 'loop':
    case 'shrink':
      return null;
  }
}

/** The bits a second that the encoder may not pass; null where the quality alone decides. */
export function chooseMaxBitrate(change: VideoChange, { durationSeconds }: VideoFacts): number | null {
  if (change.kind !== 'shrink') return null;
  return Math.floor((change.maxBytes * 8 * SHRINK_SHARE) / (durationSeconds + RATE_BUFFER_SECONDS));
}
