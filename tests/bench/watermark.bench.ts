/**
 * Measures the CPU cost of the logo beyond the encoding that a copy needs anyway. Compares a picture of 1200 x 1600
 * with its encoding alone, and five seconds of video at 1080 x 1440 with the encoding of the frames. Takes the median
 * of the ratios of pairs in one run. The copy of a video is decoded as well.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import { drawWatermarkedImage } from '#api/services/generations/picture-work.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

const IMAGE_BUDGET = 2.5;
const VIDEO_BUDGET = 3;
const IMAGE = { width: 1200, height: 1600 };
const FRAME = { width: 1080, height: 1440 };
const FRAMES_PER_SECOND = 30;
const SECONDS = 5;

const folder = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
try {
  const isImageFast = report('image', await measureImages(30), IMAGE_BUDGET);
  const isVideoFast = report('5 s video', await measureVideos(3), VIDEO_BUDGET);
  process.exitCode = isImageFast && isVideoFast ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}

interface Pair {
  marked: number;
  bare: number;
}

async function measureImages(pairs: number): Promise<Pair[]> {
  const picture = await drawProductPhoto('garment', IMAGE);
  const mark = () => drawWatermarkedImage({ picture, format: 'jpeg' });
  const bare = () => sharp(picture).jpeg({ quality: 88 }).toBuffer();
  // The first picture of a size draws its logos, which are then cached.
  console.log(`  image, the first of its size: ${((await measureCpu(mark)) * 1000).toFixed(0)} ms of CPU`);
  await bare();
  const found: Pair[] = [];
  for (let pair = 0; pair < pairs; pair++) found.push({ marked: await measureCpu(mark), bare: await measureCpu(bare) });
  return found;
}

async function measureVideos(pairs: number): Promise<Pair[]> {
  const encoder = createNodeAvEncoder();
  const inputPath = path.join(folder, 'original.mp4');
  const frames = await drawFrames();
  const encode = () =>
    encoder.encode({ ...FRAME, framesPerSecond: FRAMES_PER_SECOND, frames: repeat(frames), outputPath: inputPath });
  await encode();
  const found: Pair[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const bare = await measureCpu(encode);
    const outputPath = path.join(folder, 'marked.mp4');
    found.push({ bare, marked: await measureCpu(() => encoder.addWatermark({ inputPath, outputPath })) });
  }
  return found;
}

/** A camera move over a product photo: one pixel a frame, and back again. */
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

async function* repeat(frames: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < SECONDS * FRAMES_PER_SECOND; index++) {
    const step = index % (2 * frames.length);
    yield frames[step < frames.length ? step : 2 * frames.length - 1 - step] ?? new Uint8Array();
  }
}

/** CPU seconds of the whole process, with all threads, during the work. */
async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  await sleep(20);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function report(name: string, pairs: Pair[], budget: number): boolean {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const ratio = median(pairs.map(({ marked, bare }) => marked / bare));
  const ms = (values: number[]) => `${(median(values) * 1000).toFixed(0)} ms`;
  const [marked, bare] = [ms(pairs.map((pair) => pair.marked)), ms(pairs.map((pair) => pair.bare))];
  console.log(
    `watermark of ${name} / encode alone: ${ratio.toFixed(1)} (budget ${budget}): ${marked} against ${bare} of CPU`,
  );
  return ratio <= budget;
}
