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
import { Frame, Log } from 'node-av/lib';
import { ENCODING } from './encoding-settings.ts';
import { readFirstFrameAsPng } from './first-frame.ts';
import { readVideoFacts } from './mp4-facts.ts';
import type { EncodeRequest, VideoEncoder } from './video-encoder.ts';
import { withWatermarkFile } from './watermark-overlay.ts';

// x264 writes its statistics to stderr otherwise.
Log.setLevel(AV_LOG_ERROR);

/** FFmpeg inside the process. Its work runs on native threads: only the copy of a frame into FFmpeg's memory (under a millisecond) does not. */
export function createNodeAvEncoder(): VideoEncoder {
  return {
    name: 'node-av',
    encode: encodeFrames,
    addWatermark,
    readFirstFrame: (inputPath, signal) => readFirstFrameAsPng(() => decodeFirstFrame(inputPath, signal)),
    async probe(inputPath, signal) {
      const facts = await readVideoFacts(inputPath);
      // The boxes may promise what the data does not hold: decoding one frame is the proof.
      await decodeFirstFrame(inputPath, signal);
      return facts;
    },
    close: async () => undefined,
  };
}

async function openEncoder(framesPerSecond: number, filter?: FilterAPI): Promise<Encoder> {
  return Encoder.create(FF_ENCODER_LIBX264, {
    filter,
    context: {
      gopSize: Math.round(framesPerSecond * ENCODING.keyframeSeconds),
      maxBFrames: ENCODING.maxBFrames,
      threadCount: ENCODING.threads,
      colorSpace: AVCOL_SPC_BT709,
      colorPrimaries: AVCOL_PRI_BT709,
      colorTrc: AVCOL_TRC_BT709,
      colorRange: AVCOL_RANGE_MPEG,
    },
    options: { preset: ENCODING.preset, crf: ENCODING.crf, profile: 'high' },
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
  const stream = muxer.addStream(encoder);
  const send = async (frame: Frame | null) => {
    for (const packet of await encoder.encodeAll(frame)) {
      await muxer.writePacket(packet, stream);
      packet.free();
    }
  };
  let index = 0n;
  for await (const pixels of frames) {
    signal?.throwIfAborted();
    const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const frame = Frame.fromVideoBuffer(buffer, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      pts: index++,
      timeBase: { num: 1, den: framesPerSecond },
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

async function addWatermark({
  inputPath,
  outputPath,
  signal,
}: {
  inputPath: string;
  outputPath: string;
  signal?: AbortSignal;
}): Promise<void> {
  const facts = await readVideoFacts(inputPath);
  await withWatermarkFile(facts, async (overlayPath) => {
    await using demuxer = await Demuxer.open(inputPath, { signal });
    const video = getVideoStream(demuxer);
    using decoder = await Decoder.create(video);
    using filter = FilterAPI.create(
      `null[video];movie=${escapeForGraph(overlayPath)},format=yuva420p[logo];[video][logo]overlay=0:0:format=yuv420,format=yuv420p`,
    );
    using encoder = await openEncoder(facts.framesPerSecond, filter);
    await using muxer = await openMuxer(outputPath);
    const stream = muxer.addStream(encoder);
    for await (const packet of encoder.packets(filter.frames(decoder.frames(demuxer.packets(video.index))))) {
      if (!packet) break;
      await muxer.writePacket(packet, stream);
      packet.free();
      signal?.throwIfAborted();
    }
    // For the demuxer an abort is the end of the file.
    signal?.throwIfAborted();
  });
}

async function decodeFirstFrame(
  inputPath: string,
  signal?: AbortSignal,
): Promise<{ width: number; height: number; pixels: Buffer }> {
  await using demuxer = await Demuxer.open(inputPath, { signal });
  const video = getVideoStream(demuxer);
  using decoder = await Decoder.create(video);
  using filter = FilterAPI.create('scale=in_color_matrix=bt709:in_range=tv,format=rgb24');
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(video.index)))) {
    if (!frame) break;
    const result = { width: frame.width, height: frame.height, pixels: frame.toBuffer() };
    frame.free();
    return result;
  }
  signal?.throwIfAborted();
  throw new Error('the video has no frame that can be decoded');
}

function openMuxer(outputPath: string): Promise<Muxer> {
  return Muxer.open(outputPath, { format: 'mp4', options: { movflags: '+faststart' } });
}

function getVideoStream(demuxer: Demuxer): NonNullable<ReturnType<Demuxer['video']>> {
  const video = demuxer.video();
  if (!video) throw new Error('the file has no video stream');
  return video;
}

/** A value inside a filter graph is unwrapped twice: as a part of the graph, then as an option of its filter. */
function escapeForGraph(value: string): string {
  return value.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}
