/** Facts read from a video file's bytes. */
export interface VideoFacts {
  codec: string;
  pixelFormat: string;
  width: number;
  height: number;
  framesPerSecond: number;
  durationSeconds: number;
  bytes: number;
  /** `moov` stands before `mdat`. */
  isFaststart: boolean;
}

export interface EncodeRequest {
  width: number;
  height: number;
  framesPerSecond: number;
  /** Planar YUV 4:2:0 (BT.709, limited range), one buffer a frame; a buffer may be reused after the next one is asked for. */
  frames: AsyncIterable<Uint8Array>;
  outputPath: string;
  signal?: AbortSignal;
}

/** One thing to make of a finished video. Sizes and places are even, in pixels. */
export type VideoChange =
  | { kind: 'crop'; left: number; top: number; width: number; height: number }
  /** A larger canvas with the picture at `left`, `top`; `colour` is `#rrggbb`. */
  | { kind: 'pad'; left: number; top: number; width: number; height: number; colour: string }
  /** The whole video so many times in a row, without loss. */
  | { kind: 'loop'; times: number }
  /** Encoded anew in so few bytes, as well as that allows. */
  | { kind: 'shrink'; maxBytes: number };

export interface TransformRequest {
  inputPath: string;
  outputPath: string;
  change: VideoChange;
  signal?: AbortSignal;
}

/**
 * Everything Podium does to video files, whoever made them: H.264 High, yuv420p, BT.709, moov first. A call whose
 * `signal` aborts stops its work soon and rejects with the signal's reason.
 */
export interface VideoEncoder {
  readonly name: string;
  encode(request: EncodeRequest): Promise<void>;
  /** Writes a copy with the service's logo, which cannot be cropped away, in H.264 with the same size and rate. */
  addWatermark(request: { inputPath: string; outputPath: string; signal?: AbortSignal }): Promise<void>;
  /** Writes a changed copy in the same rate. */
  transform(request: TransformRequest): Promise<void>;
  /** The first frame, as a PNG. */
  readFirstFrame(inputPath: string, signal?: AbortSignal): Promise<Buffer>;
  /** Throws when the file is not a video that plays. */
  probe(inputPath: string, signal?: AbortSignal): Promise<VideoFacts>;
  close(): Promise<void>;
}
