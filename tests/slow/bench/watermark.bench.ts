/**
 * What the logo costs beyond the decoding and encoding that a copy needs anyway: for a picture of 1200 x 1600, and for
 * five seconds of video at 1080 x 1440, whose floor decodes the same file and encodes the frames with the same settings.
 */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Decoder, Demuxer, Encoder, Muxer } from 'node-av/api';
import { FF_ENCODER_LIBX264 } from 'node-av/constants';
import sharp from 'sharp';
import { COPY_CRF, chooseCopyBitrate, ENCODING, RATE_BUFFER_SECONDS } from '#api/adapters/video-encoder/encoding.ts';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import { drawWatermarkedImage } from '#api/services/generations/results/picture-work.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { alternate, measureOwnCpu, reportFigure } from './figures.ts';

const PICTURE = { width: 1200, height: 1600 };
const PICTURE_ROUNDS = 30;
const FRAME = { width: 1080, height: 1440 };
const FRAMES_PER_SECOND = 30;
const SECONDS = 5;
const VIDEO_ROUNDS = 5;
const UNIT = 'ms of CPU';

const folder = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
try {
  await measurePicture();
  await measureVideo();
} finally {
  await rm(folder, { recursive: true });
}

async function measurePicture(): Promise<void> {
  const picture = await drawProductPhoto('garment', PICTURE);
  const { values, floorValues } = await alternate(PICTURE_ROUNDS, {
    figure: () => measureOwnCpu(() => drawWatermarkedImage({ picture, format: 'jpeg' })),
    floor: () => measureOwnCpu(() => sharp(picture).jpeg({ quality: 88 }).toBuffer()),
  });
  reportFigure({
    what: 'logo on a picture of 1200 x 1600',
    unit: UNIT,
    values,
    floor: { what: 'decode and encode', values: floorValues },
    budget: { atMost: 2.5 },
  });
}

async function measureVideo(): Promise<void> {
  const encoder = createNodeAvEncoder();
  const [inputPath, outputPath, barePath] = ['original.mp4', 'marked.mp4', 'bare.mp4'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  const frames = await drawFrames();
  await encoder.encode({
    ...FRAME,
    framesPerSecond: FRAMES_PER_SECOND,
    frames: playBackAndForth(frames),
    outputPath: inputPath,
  });
  const maxBitrate = chooseCopyBitrate({ bytes: statSync(inputPath).size, durationSeconds: SECONDS });
  const { values, floorValues } = await alternate(VIDEO_ROUNDS, {
    figure: () => measureOwnCpu(() => encoder.addWatermark({ inputPath, outputPath })),
    floor: () => measureOwnCpu(() => encodeAgain({ inputPath, outputPath: barePath, maxBitrate })),
  });
  reportFigure({
    what: 'copy with the logo of a 5 s video',
    unit: UNIT,
    values,
    floor: { what: 'decode and encode', values: floorValues },
    budget: { atMost: 1.15 },
  });
  reportFigure({
    what: 'bytes of the copy with the logo',
    unit: 'kB',
    values: [statSync(outputPath).size / 1000],
    floor: { what: 'the video', values: [statSync(inputPath).size / 1000] },
    budget: { atMost: 1 },
  });
}

/** Decodes a video and encodes its frames as a copy is encoded, without a logo. */
async function encodeAgain({
  inputPath,
  outputPath,
  maxBitrate,
}: {
  inputPath: string;
  outputPath: string;
  maxBitrate: number;
}): Promise<void> {
  await using demuxer = await Demuxer.open(inputPath);
  const video = demuxer.video();
  if (!video) throw new Error('the file has no video');
  using decoder = await Decoder.create(video);
  using encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    context: {
      gopSize: FRAMES_PER_SECOND * ENCODING.keyframeSeconds,
      maxBFrames: ENCODING.maxBFrames,
      threadCount: ENCODING.threads,
      rcMaxRate: maxBitrate,
      rcBufferSize: Math.round(maxBitrate * RATE_BUFFER_SECONDS),
    },
    options: { preset: ENCODING.preset, crf: COPY_CRF, profile: 'high' },
  });
  await using muxer = await Muxer.open(outputPath, { format: 'mp4', options: { movflags: '+faststart' } });
  const stream = muxer.addStream(encoder);
  for await (const packet of encoder.packets(decoder.frames(demuxer.packets(video.index)))) {
    if (!packet) break;
    await muxer.writePacket(packet, stream);
    packet.free();
  }
}

/** A camera move over a product photo: one pixel a frame. */
async function drawFrames(): Promise<Uint8Array[]> {
  const shots = 30;
  const photo = await drawProductPhoto('garment', { width: FRAME.width + shots, height: FRAME.height });
  const grey = await sharp(photo).greyscale().raw().toBuffer();
  return Array.from({ length: shots }, (_, shift) => {
    const frame = new Uint8Array((FRAME.width * FRAME.height * 3) / 2).fill(128);
    for (let y = 0; y < FRAME.height; y++) {
      const start = y * (FRAME.width + shots) + shift;
      frame.set(grey.subarray(start, start + FRAME.width), y * FRAME.width);
    }
    return frame;
  });
}

async function* playBackAndForth(frames: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < SECONDS * FRAMES_PER_SECOND; index++) {
    const step = index % (2 * frames.length);
    yield frames[step < frames.length ? step : 2 * frames.length - 1 - step] ?? new Uint8Array();
  }
}
