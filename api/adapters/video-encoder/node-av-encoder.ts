import { Decoder, Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api';
import {
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { FFmpegError, Frame, Log } from 'node-av/lib';
import sharp, { type Sharp } from 'sharp';
import { blendPlane, drawVideoOverlay } from '#api/imaging/watermark/video-overlay.ts';
import { drawPosters } from './draw-posters.ts';
import {
  COPY_CRF,
  chooseCopyBitrate,
  chooseFrameRate,
  chooseMaxBitrate,
  describeFilter,
  ENCODING,
  RATE_BUFFER_SECONDS,
} from './encoding.ts';
import { lengthenVideo } from './lengthen-video.ts';
import { readVideoFacts } from './mp4-facts.ts';
import type { EncodeRequest, FrameEncoder, TransformRequest, VideoEncoder } from './video-encoder.ts';

// Otherwise x264 writes its statistics to stderr.
Log.setLevel(AV_LOG_ERROR);

/**
 * FFmpeg inside the process. It works on native threads. Only copying a frame into FFmpeg's memory (under a
 * millisecond) runs on the caller's thread.
 */
export function createNodeAvEncoder(): VideoEncoder & FrameEncoder {
  return {
    name: 'node-av',
    encode: encodeFrames,
    addWatermark,
    transform,
    readFrames,
    readFirstFrame: async (inputPath, signal) => toPng(await decodeFirstFrame(inputPath, signal)),
    makePosters: async (inputPath, signal) => drawPosters(openPixels(await decodeFirstFrame(inputPath, signal))),
    async probe(inputPath, signal) {
      const facts = await readVideoFacts(inputPath);
      // The boxes may describe data that is missing. Decoding one frame proves that the video plays.
      await decodeFirstFrame(inputPath, signal);
      return facts;
    },
  };
}

interface EncoderOptions {
  /** Where the frames come from, which tells the encoder their rate. */
  filter?: FilterAPI;
  decoder?: Decoder;
  crf?: number;
  /** In bits a second. Null when only the quality decides. */
  maxBitrate?: number | null;
}

async function openEncoder(
  framesPerSecond: number,
  { crf = ENCODING.crf, maxBitrate = null, ...source }: EncoderOptions = {},
): Promise<Encoder> {
  return Encoder.create(FF_ENCODER_LIBX264, {
    ...source,
    context: {
      gopSize: Math.round(framesPerSecond * ENCODING.keyframeSeconds),
      maxBFrames: ENCODING.maxBFrames,
      threadCount: ENCODING.threads,
      ...(maxBitrate === null
        ? {}
        : { rcMaxRate: maxBitrate, rcBufferSize: Math.round(maxBitrate * RATE_BUFFER_SECONDS) }),
      colorSpace: AVCOL_SPC_BT709,
      colorPrimaries: AVCOL_PRI_BT709,
      colorTrc: AVCOL_TRC_BT709,
      colorRange: AVCOL_RANGE_MPEG,
    },
    options: { preset: ENCODING.preset, crf, profile: 'high' },
  });
}

async function encodeFrames({
  width,
  height,
  framesPerSecond,
  frames,
  outputPath,
  signal,
}: EncodeRequest): Promise<void> {
  signal?.throwIfAborted();
  using encoder = await openEncoder(framesPerSecond);
  await using muxer = await openMuxer(outputPath);
  const send = writeTo(muxer, encoder);
  // Exact for whole rates and for those of American television, such as 30000/1001.
  const timeBase = { num: 1001, den: Math.round(framesPerSecond * 1001) };
  let index = 0n;
  for await (const pixels of frames) {
    signal?.throwIfAborted();
    const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const frame = Frame.fromVideoBuffer(buffer, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      pts: index++,
      timeBase,
    });
    try {
      await send(frame);
    } finally {
      frame.free();
    }
  }
  signal?.throwIfAborted();
  await send(null);
}

/** Copies each frame, because later frames are decoded from it, and draws the logos into the copy. */
async function addWatermark({
  inputPath,
  outputPath,
  signal,
}: {
  inputPath: string;
  outputPath: string;
  signal?: AbortSignal;
}): Promise<void> {
  signal?.throwIfAborted();
  const facts = await readVideoFacts(inputPath);
  const overlay = await drawVideoOverlay(facts.width, facts.height);
  await using demuxer = await Demuxer.open(inputPath, { signal });
  const video = getVideoStream(demuxer);
  using decoder = await Decoder.create(video);
  using filter = FilterAPI.create('format=yuv420p');
  using encoder = await openEncoder(facts.framesPerSecond, {
    decoder,
    crf: COPY_CRF,
    maxBitrate: chooseCopyBitrate(facts),
  });
  await using muxer = await openMuxer(outputPath);
  const send = writeTo(muxer, encoder);
  // Used for every frame: x264 keeps a copy of its own, and fresh memory would cost as much as the logo.
  using copy = new Frame();
  copy.alloc();
  const decoded = decoder.frames(demuxer.packets(video.index));
  for await (const frame of facts.pixelFormat === 'yuv420p' ? decoded : filter.frames(decoded)) {
    signal?.throwIfAborted();
    if (!frame) break;
    copyFrame(frame, copy);
    frame.free();
    for (const [index, plane] of overlay.entries()) {
      const pixels = copy.data?.[index];
      if (!pixels) throw new Error('the frame has no pixels');
      blendPlane(pixels, copy.linesize[index] ?? 0, plane);
    }
    await send(copy);
  }
  // After an abort the demuxer reports the end of the file.
  signal?.throwIfAborted();
  await send(null);
}

/** Copies pixels and times into memory that is taken with the first frame, or when the encoder still holds it. */
function copyFrame(from: Frame, to: Frame): void {
  if (!to.isWritable) {
    to.unref();
    to.width = from.width;
    to.height = from.height;
    to.format = from.format;
    FFmpegError.throwIfError(to.getBuffer(), 'memory for a frame');
  }
  FFmpegError.throwIfError(to.copy(from), 'a copy of a frame');
  FFmpegError.throwIfError(to.copyProps(from), 'a copy of what describes a frame');
  to.timeBase = from.timeBase;
}

/** Returns a function that encodes one frame into the file. Null ends it. */
function writeTo(muxer: Muxer, encoder: Encoder): (frame: Frame | null) => Promise<void> {
  const stream = muxer.addStream(encoder);
  return async (frame) => {
    for (const packet of await encoder.encodeAll(frame)) {
      await muxer.writePacket(packet, stream);
      packet.free();
    }
  };
}

async function transform({ inputPath, outputPath, change, signal }: TransformRequest): Promise<void> {
  if (change.kind === 'loop') return repeatVideo({ inputPath, outputPath, times: change.times, signal });
  if (change.kind === 'lengthen') {
    const steps = { decode: decodeAll, repeat: repeatVideo, encode: encodeFrames };
    return lengthenVideo({ inputPath, outputPath, signal }, change.minSeconds, steps);
  }
  const facts = await readVideoFacts(inputPath);
  signal?.throwIfAborted();
  await using demuxer = await Demuxer.open(inputPath, { signal });
  const video = getVideoStream(demuxer);
  using decoder = await Decoder.create(video);
  using filter = FilterAPI.create(`${describeFilter(change, facts) ?? 'null'},format=yuv420p`);
  const maxBitrate = chooseMaxBitrate(change, facts);
  using encoder = await openEncoder(chooseFrameRate(change, facts), { filter, maxBitrate });
  await using muxer = await openMuxer(outputPath);
  const stream = muxer.addStream(encoder);
  for await (const packet of encoder.packets(filter.frames(decoder.frames(demuxer.packets(video.index))))) {
    if (!packet) break;
    await muxer.writePacket(packet, stream);
    packet.free();
    signal?.throwIfAborted();
  }
  // After an abort the demuxer reports the end of the file.
  signal?.throwIfAborted();
}

/** Writes the packets several times, each time shifted by the length of the video. Nothing is decoded. */
async function repeatVideo({
  inputPath,
  outputPath,
  times,
  signal,
}: {
  inputPath: string;
  outputPath: string;
  times: number;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { durationSeconds } = await readVideoFacts(inputPath);
  // All sources stay open to the end, because the output's stream is described by the first one's.
  await using sources = new AsyncDisposableStack();
  await using muxer = await openMuxer(outputPath);
  let stream = -1;
  for (let round = 0; round < times; round++) {
    const demuxer = sources.use(await Demuxer.open(inputPath));
    const video = getVideoStream(demuxer);
    if (round === 0) stream = muxer.addStream(video);
    const { num, den } = video.timeBase;
    const delay = BigInt(Math.round((round * durationSeconds * den) / num));
    for await (const packet of demuxer.packets(video.index)) {
      if (!packet) break;
      signal?.throwIfAborted();
      packet.pts += delay;
      packet.dts += delay;
      await muxer.writePacket(packet, stream);
      packet.free();
    }
  }
}

async function decodeAll(
  { inputPath, filter: graph, signal }: { inputPath: string; filter: string; signal?: AbortSignal | undefined },
  use: (frame: Uint8Array) => Promise<void> | void,
): Promise<void> {
  await using demuxer = await Demuxer.open(inputPath, { signal });
  const video = getVideoStream(demuxer);
  using decoder = await Decoder.create(video);
  using filter = FilterAPI.create(graph);
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(video.index)))) {
    signal?.throwIfAborted();
    if (!frame) break;
    const pixels = frame.toBuffer();
    frame.free();
    await use(pixels);
  }
  // After an abort the demuxer reports the end of the file.
  signal?.throwIfAborted();
}

interface DecodedFrame {
  width: number;
  height: number;
  /** RGB, three bytes each. */
  pixels: Buffer;
}

async function readFrames(inputPath: string, atSeconds: readonly number[], signal?: AbortSignal): Promise<Buffer[]> {
  const { framesPerSecond } = await readVideoFacts(inputPath);
  const indexes = atSeconds.map((seconds) => Math.floor(seconds * framesPerSecond));
  const pictures: Buffer[] = [];
  for await (const frame of decodeFrames(inputPath, indexes, signal)) pictures.push(await toPng(frame));
  return pictures;
}

async function decodeFirstFrame(inputPath: string, signal?: AbortSignal): Promise<DecodedFrame> {
  for await (const frame of decodeFrames(inputPath, [0], signal)) return frame;
  throw new Error('the video has no frame that can be decoded');
}

/** Decodes from the start up to the last of these frames, and passes on only them. */
async function* decodeFrames(
  inputPath: string,
  indexes: readonly number[],
  signal?: AbortSignal,
): AsyncGenerator<DecodedFrame> {
  await using demuxer = await Demuxer.open(inputPath, { signal });
  const video = getVideoStream(demuxer);
  using decoder = await Decoder.create(video);
  const isWanted = indexes.map((index) => `eq(n\\,${index})`).join('+');
  using filter = FilterAPI.create(`select=${isWanted},scale=in_color_matrix=bt709:in_range=tv,format=rgb24`);
  let missing = new Set(indexes).size;
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(video.index)))) {
    signal?.throwIfAborted();
    if (!frame) break;
    const decoded = { width: frame.width, height: frame.height, pixels: frame.toBuffer() };
    frame.free();
    yield decoded;
    if (--missing === 0) return;
  }
  signal?.throwIfAborted();
}

function openMuxer(outputPath: string): Promise<Muxer> {
  return Muxer.open(outputPath, { format: 'mp4', options: { movflags: '+faststart' } });
}

function getVideoStream(demuxer: Demuxer): NonNullable<ReturnType<Demuxer['video']>> {
  const video = demuxer.video();
  if (!video) throw new Error('the file has no video stream');
  return video;
}

function toPng(frame: DecodedFrame): Promise<Buffer> {
  return openPixels(frame).png({ compressionLevel: 4 }).toBuffer();
}

function openPixels({ width, height, pixels }: DecodedFrame): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
