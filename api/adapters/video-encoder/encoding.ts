import type { VideoChange, VideoFacts } from './video-encoder.ts';

/** Encoding of every video of the service, in all adapters. */
export const ENCODING = {
  preset: 'veryfast',
  /** Constant quality: no visible artefacts at the size of a product page, about 0.2 MB a second. */
  crf: 20,
  keyframeSeconds: 2,
  maxBFrames: 2,
  /** Two threads keep up with the renderer, and two jobs still leave enough processor time to the API. */
  threads: 2,
} as const;

/**
 * Constant quality of copies with the logo: good enough to judge a product. Still letters on a moving picture cost twice
 * the bytes at the same quality.
 */
export const COPY_CRF = 23;
/** With less, the logo would be lost. Only a video in which nothing happens has less itself. In bits a second. */
const COPY_MIN_BITRATE = 200_000;
/** The rest covers the index and the inaccuracy of the rate control. */
const SHRINK_SHARE = 0.92;
/** Length of the rate control's buffer. A whole video may exceed the rate by as much as the buffer holds. */
export const RATE_BUFFER_SECONDS = 0.5;

/** Frame rates that every marketplace takes. */
const SLOWEST_FPS = 24;
const FASTEST_FPS = 30;

export function chooseFrameRate(change: VideoChange, { framesPerSecond }: VideoFacts): number {
  return change.kind === 'fit' ? Math.min(Math.max(framesPerSecond, SLOWEST_FPS), FASTEST_FPS) : framesPerSecond;
}

/** The change as a filter graph for FFmpeg. Null when the picture stays the same. */
export function describeFilter(change: VideoChange, facts: VideoFacts): string | null {
  switch (change.kind) {
    case 'fit': {
      const size = `${change.width}:${change.height}`;
      const scaled = `scale=${size}:force_original_aspect_ratio=increase:flags=lanczos,crop=${size},setsar=1`;
      const rate = chooseFrameRate(change, facts);
      return rate === facts.framesPerSecond ? scaled : `${scaled},fps=${rate}`;
    }
    case 'crop':
      return `crop=${change.width}:${change.height}:${change.left}:${change.top}`;
    case 'pad':
      return `pad=${change.width}:${change.height}:${change.left}:${change.top}:0x${change.colour.slice(1)}`;
    case 'loop':
    case 'lengthen':
    case 'shrink':
      return null;
  }
}

/** The maximum bit rate for the encoder. Null when only the quality decides. */
export function chooseMaxBitrate(change: VideoChange, facts: VideoFacts): number | null {
  return change.kind === 'shrink' ? fitBitrate(change.maxBytes, facts) : null;
}

/** The maximum bit rate for a copy with the logo, with which it has no more bytes than the video. */
export function chooseCopyBitrate(facts: Pick<VideoFacts, 'bytes' | 'durationSeconds'>): number {
  return Math.max(COPY_MIN_BITRATE, fitBitrate(facts.bytes, facts));
}

/** The bit rate with which a video of this length has at most so many bytes. */
function fitBitrate(maxBytes: number, { durationSeconds }: Pick<VideoFacts, 'durationSeconds'>): number {
  return Math.floor((maxBytes * 8 * SHRINK_SHARE) / (durationSeconds + RATE_BUFFER_SECONDS));
}
