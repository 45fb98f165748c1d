export interface VideoFacts {
  codec: string;
  pixelFormat: string;
  width: number;
  height: number;
  framesPerSecond: number;
  durationSeconds: number;
  bytes: number;
  hasAudio: boolean;
  /** `moov` comes before `mdat`. */
  isFaststart: boolean;
}

export interface EncodeRequest {
  width: number;
  height: number;
  framesPerSecond: number;
  /**
   * Planar YUV 4:2:0 (BT.709, limited range), one buffer per frame. A buffer may be reused after the next one is
   * requested.
   */
  frames: AsyncIterable<Uint8Array>;
  outputPath: string;
  signal?: AbortSignal;
}

/** One change to a finished video. Sizes and positions are even numbers of pixels. */
export type VideoChange =
  | { kind: 'crop'; left: number; top: number; width: number; height: number }
  /** A larger canvas with the picture at `left`, `top`. `colour`: `#rrggbb`. */
  | { kind: 'pad'; left: number; top: number; width: number; height: number; colour: string }
  /**
   * Fills a frame of this size: the picture is scaled in proportion, and what stands out is cut off on both sides
   * alike. A frame rate outside of 24 to 30 becomes the nearer of the two.
   */
  | { kind: 'fit'; width: number; height: number }
  /** Repeats the whole video without loss. */
  | { kind: 'loop'; times: number }
  /**
   * Brings a video to this length or more without a visible seam, in whole motions only. Where the end leads to the
   * beginning, the video is repeated without loss, at least once. Otherwise it is encoded again, played forth and back.
   */
  | { kind: 'lengthen'; minSeconds: number }
  /** Encodes the video again in at most so many bytes. */
  | { kind: 'shrink'; maxBytes: number };

export interface TransformRequest {
  inputPath: string;
  outputPath: string;
  change: VideoChange;
  signal?: AbortSignal;
}

/** The first frame, as WebP: for a player, and for a list. */
export interface Posters {
  poster: Buffer;
  thumbnail: Buffer;
}

/**
 * All work on finished video files. Every result is H.264 High, yuv420p, BT.709, moov first. When `signal` aborts, a
 * call stops soon and rejects with the signal's reason.
 */
export interface VideoEncoder {
  readonly name: string;
  /**
   * Writes an H.264 copy with the service's logo, which no crop removes. Size and frame rate stay the same. It has no more
   * bytes, unless the video has so few that the logo would be lost.
   */
  addWatermark(request: { inputPath: string; outputPath: string; signal?: AbortSignal }): Promise<void>;
  /** Writes a changed copy without sound. Only `fit` may change the frame rate. */
  transform(request: TransformRequest): Promise<void>;
  /** Returns the frames shown at these times, ascending, as PNGs. Frames beyond the end are missing. */
  readFrames(inputPath: string, atSeconds: readonly number[], signal?: AbortSignal): Promise<Buffer[]>;
  /** Returns the first frame as a PNG. */
  readFirstFrame(inputPath: string, signal?: AbortSignal): Promise<Buffer>;
  makePosters(inputPath: string, signal?: AbortSignal): Promise<Posters>;
  /** Makes a call within the next second begin at once. Costs the memory of a process until then. */
  warmUp?(): void;
  /** Throws when the file is not a playable video. */
  probe(inputPath: string, signal?: AbortSignal): Promise<VideoFacts>;
}

/** Makes videos from frames in memory, so it works in the process that draws them. */
export interface FrameEncoder {
  encode(request: EncodeRequest): Promise<void>;
}
