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
