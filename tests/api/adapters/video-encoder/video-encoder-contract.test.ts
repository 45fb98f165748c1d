import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFfmpegEncoder } from '#api/adapters/video-encoder/ffmpeg-encoder.ts';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import type {
  EncodeRequest,
  FrameEncoder,
  VideoChange,
  VideoEncoder,
} from '#api/adapters/video-encoder/video-encoder.ts';
import { addSound } from '#tests/fixtures/add-sound.ts';
import { drawNoiseFrames } from '#tests/fixtures/draw-noise-frames.ts';

const WIDTH = 240;
const HEIGHT = 320;
const FRAMES = 30;
const MADE = {
  codec: 'h264',
  pixelFormat: 'yuv420p',
  width: WIDTH,
  height: HEIGHT,
  framesPerSecond: 30,
  durationSeconds: 1,
  isFaststart: true,
};
const isFfmpegInstalled = spawnSync('ffmpeg', ['-version']).status === 0;

/** Reuses one buffer, like the renderer. Draws a grey field that grows brighter, with black left and upper edges. */
async function* drawFrames(count = FRAMES) {
  const pixels = new Uint8Array(new SharedArrayBuffer((WIDTH * HEIGHT * 3) / 2));
  for (let index = 0; index < count; index++) {
    pixels.fill(128);
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) pixels[y * WIDTH + x] = x < 8 || y < 8 ? 16 : 100 + index;
    }
    yield pixels;
    pixels.fill(0);
  }
}

/** Draws a bright square on grey, whose left upper corner is at `place` of the share of the clip that is over. */
async function* drawSquare(count: number, place: (share: number) => { x: number; y: number }) {
  for (let index = 0; index < count; index++) {
    const pixels = new Uint8Array((WIDTH * HEIGHT * 3) / 2).fill(128);
    const { x, y } = place(index / count);
    for (let row = Math.round(y); row < Math.round(y) + 60; row++) {
      pixels.fill(220, row * WIDTH + Math.round(x), row * WIDTH + Math.round(x) + 60);
    }
    yield pixels;
  }
}

async function readGrey(png: Buffer) {
  return sharp(png).greyscale().raw().toBuffer();
}

describe('the video encoder node-av', () => describeEncoder(createNodeAvEncoder()));
describe.runIf(isFfmpegInstalled)('the video encoder ffmpeg', () => describeEncoder(createFfmpegEncoder()));

function describeEncoder(encoder: VideoEncoder & FrameEncoder): void {
  let folder: string;
  let video: string;
  let noisy: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-encoder-'));
    video = await encode('video.mp4', drawFrames());
    noisy = await encode('noisy.mp4', drawNoiseFrames({ width: WIDTH, height: HEIGHT, count: 15 }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function encode(name: string, frames: EncodeRequest['frames'], framesPerSecond = 30): Promise<string> {
    const outputPath = join(folder, name);
    await encoder.encode({ width: WIDTH, height: HEIGHT, framesPerSecond, frames, outputPath });
    return outputPath;
  }

  async function transform(inputPath: string, name: string, change: VideoChange): Promise<string> {
    const outputPath = join(folder, name);
    await encoder.transform({ inputPath, outputPath, change });
    return outputPath;
  }

  test('reads the frames at given times, and none beyond the end', async () => {
    const frames = await encoder.readFrames(video, [0.1, 0.5, 0.9, 7]);
    const greys = await Promise.all(frames.map(async (png) => (await readGrey(png)).at(-1) ?? 0));
    // The field grows brighter by one step of the limited range, which is 1.16 of 256, in each of 30 frames a second.
    expect(greys).toHaveLength(3);
    expect((greys[1] ?? 0) - (greys[0] ?? 0)).toBeCloseTo(14, -0.5);
    expect((greys[2] ?? 0) - (greys[1] ?? 0)).toBeCloseTo(14, -0.5);
  });

  test('makes H.264 in yuv420p that starts to play before it is loaded', async () => {
    expect(await encoder.probe(video)).toMatchObject(MADE);
  });

  test('keeps every frame as it was when it was handed over', async () => {
    const png = await encoder.readFirstFrame(video);
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: WIDTH, height: HEIGHT });
    const grey = await readGrey(png);
    expect(grey[0]).toBeLessThan(8);
    // Luma 100 in limited range is a grey of 98.
    expect(Math.abs(grey[200 * WIDTH + 120]! - 98)).toBeLessThan(5);
  });

  test('makes pictures of the first frame that are no larger than the video', async () => {
    const { poster, thumbnail } = await encoder.makePosters(video);
    for (const picture of [poster, thumbnail]) {
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: WIDTH, height: HEIGHT });
      expect(Math.abs((await readGrey(picture))[200 * WIDTH + 120]! - 98)).toBeLessThan(5);
    }
  });

  test('puts the logo into every quarter of the picture and changes nothing else about the file', async () => {
    const marked = join(folder, 'marked.mp4');
    await encoder.addWatermark({ inputPath: video, outputPath: marked });
    expect(await encoder.probe(marked)).toMatchObject(MADE);
    const lastFrameOf = async (path: string) => (await encoder.readFrames(path, [0.96]))[0] ?? Buffer.alloc(0);
    const [before, after] = await Promise.all([video, marked].map(async (path) => readGrey(await lastFrameOf(path))));
    for (const [left, top] of [
      [8, 8],
      [WIDTH / 2, 8],
      [8, HEIGHT / 2],
      [WIDTH / 2, HEIGHT / 2],
    ] as const) {
      let changed = 0;
      for (let y = top; y < top + HEIGHT / 2 - 8; y++) {
        for (let x = left; x < left + WIDTH / 2 - 8; x++)
          if (Math.abs(before![y * WIDTH + x]! - after![y * WIDTH + x]!) > 12) changed++;
      }
      const share = changed / ((WIDTH / 2) * (HEIGHT / 2));
      expect(share).toBeGreaterThan(0.01);
      expect(share).toBeLessThan(0.3);
    }
  });

  test('puts the logo on with temporary files in any folder', async () => {
    const oddFolder = await mkdtemp(join(folder, "it's [a] folder: x=1, y;z\\ "));
    const marked = join(oddFolder, 'marked.mp4');
    await encoder.addWatermark({ inputPath: video, outputPath: marked });
    expect(await encoder.probe(marked)).toMatchObject({ width: WIDTH, height: HEIGHT, durationSeconds: 1 });
    expect(await readdir(oddFolder)).toEqual(['marked.mp4']);
  });

  test('stops putting the logo on when it is told to, and leaves no work behind', async () => {
    const long = await transform(video, 'long.mp4', { kind: 'loop', times: 16 });
    const copy = { inputPath: long, outputPath: join(folder, 'copy.mp4') };
    await encoder.addWatermark(copy);
    const stop = new AbortController();
    const stopped = { ...copy, outputPath: join(folder, 'stopped.mp4'), signal: stop.signal };
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    // As soon as the work has begun. Durations say little on a busy machine, so the files are compared, too.
    const watch = setInterval(() => sizeOf(stopped.outputPath) > 0 && stop.abort(new Error('no longer wanted')), 1);
    await expect(encoder.addWatermark(stopped).finally(() => clearInterval(watch))).rejects.toThrow('no longer wanted');
    expect(sizeOf(stopped.outputPath)).toBeLessThan(sizeOf(copy.outputPath) * 0.75);
  });

  test('reads no file when the caller has already given up', async () => {
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(encoder.probe(video, signal)).rejects.toThrow('no longer wanted');
    await expect(encoder.readFirstFrame(video, signal)).rejects.toThrow('no longer wanted');
  });

  test('cuts a part out of every frame', async () => {
    const change = { kind: 'crop', left: 20, top: 40, width: 180, height: 240 } as const;
    const cropped = await transform(video, 'cropped.mp4', change);
    const size = { width: 180, height: 240 };
    expect(await encoder.probe(cropped)).toMatchObject({ ...size, durationSeconds: 1, isFaststart: true });
    // The black edges are outside this part.
    const grey = await readGrey(await encoder.readFirstFrame(cropped));
    expect(Math.abs(grey[0]! - 98)).toBeLessThan(8);
  });

  test('fills a frame of another ratio without stretching, at a rate that marketplaces take', async () => {
    const slow = await encode('slow.mp4', drawFrames(16), 16);
    const fitted = await transform(slow, 'fitted.mp4', { kind: 'fit', width: 480, height: 480 });
    const facts = await encoder.probe(fitted);
    expect(facts).toMatchObject({ width: 480, height: 480, hasAudio: false, isFaststart: true });
    expect(facts.framesPerSecond).toBeCloseTo(24, 1);
    expect(facts.durationSeconds).toBeCloseTo(1, 1);
    // Scaled by two: the left edge is 16 pixels wide, and the upper one is cut off with what stands out.
    const grey = await readGrey(await encoder.readFirstFrame(fitted));
    const at = (x: number, y: number) => grey[y * 480 + x]!;
    expect([at(4, 240), at(10, 240), at(10, 4)].every((value) => value < 40)).toBe(true);
    expect([at(24, 240), at(240, 4), at(470, 470)].every((value) => value > 80)).toBe(true);
  });

  test('tells whether a video has sound, and leaves the sound out when it fits the frame', async () => {
    const loud = join(folder, 'loud.mp4');
    await addSound(video, loud);
    expect(await encoder.probe(loud)).toMatchObject({ hasAudio: true, width: WIDTH, framesPerSecond: 30 });
    const silent = await transform(loud, 'silent.mp4', { kind: 'fit', width: WIDTH, height: HEIGHT });
    expect(await encoder.probe(silent)).toMatchObject({ hasAudio: false, durationSeconds: 1 });
  });

  test('sets the picture onto a larger canvas of a colour', async () => {
    const change = { kind: 'pad', left: 40, top: 0, width: WIDTH + 80, height: HEIGHT, colour: '#f0e0d0' } as const;
    const padded = await transform(video, 'padded.mp4', change);
    expect(await encoder.probe(padded)).toMatchObject({ width: WIDTH + 80, height: HEIGHT, durationSeconds: 1 });
    const { data, info } = await sharp(await encoder.readFirstFrame(padded))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
    for (const x of [10, WIDTH + 70]) {
      const [red = 0, green = 0, blue = 0] = pixel(x, HEIGHT / 2);
      expect(Math.abs(red - 0xf0) + Math.abs(green - 0xe0) + Math.abs(blue - 0xd0)).toBeLessThan(24);
    }
    expect(Math.abs(pixel(40 + WIDTH / 2, HEIGHT / 2)[0]! - 98)).toBeLessThan(8);
  });

  test('repeats a video without losing or gaining a frame', async () => {
    const looped = await transform(video, 'looped.mp4', { kind: 'loop', times: 3 });
    const facts = await encoder.probe(looped);
    const { durationSeconds: _once, ...kept } = MADE;
    expect(facts).toMatchObject(kept);
    expect(facts.durationSeconds).toBeCloseTo(3, 5);
    const { bytes } = await encoder.probe(video);
    expect(facts.bytes / bytes).toBeGreaterThan(2);
    // Every packet of every round decodes, the last one included.
    const change = { kind: 'crop', left: 0, top: 0, width: WIDTH, height: HEIGHT } as const;
    const copy = await transform(looped, 'looped-anew.mp4', change);
    expect((await encoder.probe(copy)).durationSeconds).toBeCloseTo(3, 5);
  });

  describe('makes a video longer', () => {
    const COUNT = 15;
    /** Five seconds. */
    const RATE = 3;
    let line: string;
    let own: string;
    let clip: string;
    let longer: string;

    beforeAll(async () => {
      line = await encode(
        'line.mp4',
        drawSquare(COUNT, (share) => ({ x: 10 + 150 * share, y: 130 })),
        RATE,
      );
    });
    beforeEach(async () => {
      own = await mkdtemp(join(folder, 'longer-'));
      clip = join(own, 'clip.mp4');
      longer = join(own, 'longer.mp4');
    });

    const encodeClip = (frames: EncodeRequest['frames'], framesPerSecond = RATE) =>
      encoder.encode({ width: WIDTH, height: HEIGHT, framesPerSecond, frames, outputPath: clip });
    const lengthen = (minSeconds: number) =>
      encoder.transform({ inputPath: clip, outputPath: longer, change: { kind: 'lengthen', minSeconds } });

    // One reader for both, because the other one would start a process for each frame.
    async function readGreys(path: string): Promise<Buffer[]> {
      const { framesPerSecond, durationSeconds } = await encoder.probe(path);
      const times = Array.from(
        { length: Math.round(framesPerSecond * durationSeconds) },
        (_, index) => (index + 0.5) / framesPerSecond,
      );
      return Promise.all((await createNodeAvEncoder().readFrames(path, times)).map(readGrey));
    }

    /** As toEqual, which needs a second for a hundred frames. */
    function expectSameFrames(found: Buffer[], wanted: Buffer[]): void {
      expect(found).toHaveLength(wanted.length);
      expect(
        found.findIndex((frame, index) => !frame.equals(wanted[index]!)),
        'the first frame that differs',
      ).toBe(-1);
    }

    function differ(one: Buffer, other: Buffer): number {
      return one.reduce((sum, grey, index) => sum + Math.abs(grey - other[index]!), 0) / one.length;
    }

    test('without loss where its motion is a circle', async () => {
      const turn = 2 * Math.PI;
      await encodeClip(
        drawSquare(COUNT, (share) => ({ x: 90 + 60 * Math.cos(turn * share), y: 130 + 60 * Math.sin(turn * share) })),
      );
      await lengthen(8);
      const { durationSeconds: _shorter, bytes: _fewer, ...kept } = await encoder.probe(clip);
      expect(await encoder.probe(longer)).toMatchObject({ ...kept, durationSeconds: 10 });
      const frames = await readGreys(clip);
      expectSameFrames(await readGreys(longer), [...frames, ...frames]);
      expect((await readdir(own)).sort()).toEqual(['clip.mp4', 'longer.mp4']);
    });

    test('forth and back where its end is far from its beginning', async () => {
      await addSound(line, clip);
      await lengthen(8);
      const { framesPerSecond, durationSeconds, ...facts } = await encoder.probe(longer);
      expect(facts).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p', width: WIDTH, height: HEIGHT });
      expect(facts).toMatchObject({ hasAudio: false, isFaststart: true });
      expect(framesPerSecond).toBeCloseTo(RATE, 5);
      expect(durationSeconds).toBeCloseTo((2 * COUNT - 2) / RATE, 5);

      const frames = await readGreys(longer);
      const steps = frames.map((frame, index) => differ(frame, frames[(index + 1) % frames.length]!));
      const mean = steps.slice(0, COUNT - 1).reduce((sum, step) => sum + step, 0) / (COUNT - 1);
      // The turns and the seam included. A frame that is shown twice would be a step of nearly 0.
      for (const step of steps) expect(step / mean).toBeGreaterThan(0.5);
      for (const step of steps) expect(step / mean).toBeLessThanOrEqual(1.5);
      const once = await readGreys(clip);
      for (const [index, frame] of frames.entries()) {
        const shown = index < COUNT ? index : 2 * COUNT - 2 - index;
        expect(differ(frame, once[shown]!)).toBeLessThan(mean / 2);
      }
      expect((await readdir(own)).sort()).toEqual(['clip.mp4', 'longer.mp4']);
    });

    test('at a rate that is no whole number', async () => {
      await encodeClip(drawFrames(10), 30_000 / 1001);
      await lengthen(0.5);
      const facts = await encoder.probe(longer);
      expect(facts.framesPerSecond).toBeCloseTo(30_000 / 1001, 5);
      expect(facts.durationSeconds).toBeCloseTo((18 * 1001) / 30_000, 5);
    });

    test('unless it is long enough', async () => {
      await copyFile(line, clip);
      await lengthen(COUNT / RATE);
      expect(await encoder.probe(longer)).toMatchObject({ durationSeconds: COUNT / RATE });
      expectSameFrames(await readGreys(longer), await readGreys(clip));
    });

    test('until it is told to stop, and leaves no frames behind', async () => {
      await copyFile(line, clip);
      const stop = new AbortController();
      const change = { kind: 'lengthen', minSeconds: 3000 } as const;
      const request = { inputPath: clip, outputPath: longer, change, signal: stop.signal };
      const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      const watch = setInterval(() => sizeOf(longer) > 0 && stop.abort(new Error('no longer wanted')), 1);
      const work = encoder.transform(request).finally(() => clearInterval(watch));
      await expect(work).rejects.toThrow('no longer wanted');
      // A finished one would be hundreds of times as large as the clip.
      expect(sizeOf(longer)).toBeLessThan(sizeOf(clip) * 50);
      expect((await readdir(own)).sort()).toEqual(['clip.mp4', 'longer.mp4']);
    });
  });

  test('makes a video fit into a number of bytes', async () => {
    const before = await encoder.probe(noisy);
    const maxBytes = Math.round(before.bytes / 4);
    const shrunk = await transform(noisy, 'shrunk.mp4', { kind: 'shrink', maxBytes });
    const after = await encoder.probe(shrunk);
    expect(after.bytes).toBeLessThanOrEqual(maxBytes);
    expect(after).toMatchObject({ width: WIDTH, height: HEIGHT, durationSeconds: before.durationSeconds });
  });

  test('makes a copy with the logo that is no larger than the video', async () => {
    const marked = join(folder, 'noisy-marked.mp4');
    await encoder.addWatermark({ inputPath: noisy, outputPath: marked });
    const share = statSync(marked).size / statSync(noisy).size;
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThan(0.5);
  });

  test('stops a change when it is told to', async () => {
    const change = { kind: 'crop', left: 0, top: 0, width: 180, height: 240 } as const;
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    const request = { inputPath: video, outputPath: join(folder, 'unwanted.mp4'), change, signal };
    await expect(encoder.transform(request)).rejects.toThrow('no longer wanted');
  });

  test('refuses what is not a video and what is cut off', async () => {
    const garbage = join(folder, 'garbage.mp4');
    await writeFile(garbage, 'this is no video at all, only a sentence that is long enough');
    await expect(encoder.probe(garbage)).rejects.toThrow();
    const cut = join(folder, 'cut.mp4');
    const bytes = await readFile(video);
    await writeFile(cut, bytes.subarray(0, bytes.length / 2));
    await expect(encoder.probe(cut)).rejects.toThrow();
  });

  test('stops soon when it is told to, and says why', async () => {
    const stop = new AbortController();
    let drawn = 0;
    async function* frames() {
      for await (const frame of drawFrames(1000)) {
        if (++drawn === 20) stop.abort(new Error('no longer wanted'));
        yield frame;
      }
    }
    const request = {
      width: WIDTH,
      height: HEIGHT,
      framesPerSecond: 30,
      frames: frames(),
      outputPath: join(folder, 'stopped.mp4'),
      signal: stop.signal,
    };
    await expect(encoder.encode(request)).rejects.toThrow('no longer wanted');
    expect(drawn).toBeLessThan(40);
  });

  test('passes on what goes wrong while frames are made', async () => {
    async function* frames() {
      yield* drawFrames(3);
      throw new Error('the renderer failed');
    }
    await expect(encode('failed.mp4', frames())).rejects.toThrow('the renderer failed');
  });
}
