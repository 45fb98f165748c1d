import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  EngineJob,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
  ModelChangeOrder,
  VideoOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { createLocalEngine } from '#api/adapters/generation-engines/local/local-engine.ts';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import { orderOf, prepareOrders, submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

const log = { info: () => undefined, error: () => undefined };
/** A street. Nothing can be cut out of it, so a job takes half of the time. */
let photo: Buffer;
let workDir: string;
let engine: GenerationEngine;

beforeAll(async () => {
  await prepareOrders();
  photo = await drawProductPhoto('busy', { width: 300, height: 400 });
});

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'podium-engine-'));
  engine = await startEngine();
});

afterEach(async () => {
  await engine.close();
  await rm(workDir, { recursive: true });
});

async function startEngine() {
  return createLocalEngine({ workDir, encoder: 'node-av', log, frameSize: { width: 120, height: 160 } });
}

const order = (generationId: string, changes: Partial<VideoOrder> = {}): VideoOrder => ({
  ...orderOf('video', engine),
  generationId,
  photos: { subject: () => open(photo) },
  ...changes,
});

/** The engine's job of an order. */
const submit = (ordered: GenerationOrder) => submitJob(engine, ordered);

const GREEN = { r: 20, g: 140, b: 60 };

async function open(content: Buffer) {
  return Readable.from([content]);
}

async function modelChangeOf(kind: ProductPhotoKind, hasBackground = true): Promise<ModelChangeOrder> {
  const drawn = await drawProductPhoto(kind, { width: 480, height: 640 });
  const green = sharp({ create: { width: 300, height: 400, channels: 3, background: GREEN } });
  const background = { id: 'green', floor: null, openImage: async () => open(await green.clone().png().toBuffer()) };
  return {
    ...orderOf('model_change', engine),
    photos: { subject: () => open(drawn) },
    background: hasBackground ? background : null,
  };
}

/** Has an order made and returns its pictures by position. */
async function makePictures(ordered: GenerationOrder) {
  const job = await submit(ordered);
  const reports = await pollUntil(job, isOver);
  const last = reports.at(-1)!;
  if (last.state !== 'completed') throw new Error(JSON.stringify(last));
  expect(last.outputs.map(({ position }) => position)).toEqual(last.outputs.map((_, i) => i));
  const files = await Promise.all(last.outputs.map(async (output) => buffer(await output.open())));
  return { job, reports, files };
}

async function readPixels(file: Buffer) {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  /** The colour at a place, given in shares of the width and the height. */
  return (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return { red: data[at]!, green: data[at + 1]!, blue: data[at + 2]! };
  };
}

async function pollUntil(job: EngineJob, isReached: (report: EngineReport) => boolean): Promise<EngineReport[]> {
  const reports: EngineReport[] = [];
  for (;;) {
    const report = await engine.poll(job, { positions: [] });
    reports.push(report);
    if (isReached(report)) return reports;
    await sleep(15);
  }
}

const isOver = ({ state }: EngineReport) => state === 'completed' || state === 'failed';

describe('the local engine', () => {
  test('makes a video of the ordered length at 30 frames a second and reports its real progress', async () => {
    const garment = await drawProductPhoto('garment', { width: 300, height: 400 });
    const ordered = order('one', { photos: { subject: () => open(garment) } });
    const job = await submit(ordered);
    expect(await submit(ordered)).toEqual(job);
    const reports = await pollUntil(job, isOver);
    const shares = reports.flatMap((report) => ('share' in report && report.share !== null ? [report.share] : []));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThan(2);
    const last = reports.at(-1)!;
    if (last.state !== 'completed') throw new Error(JSON.stringify(last));
    const file = join(workDir, 'received.mp4');
    await writeFile(file, await buffer(await last.outputs[0]!.open()));
    const facts = await createNodeAvEncoder().probe(file);
    expect(facts).toMatchObject({
      codec: 'h264',
      pixelFormat: 'yuv420p',
      framesPerSecond: 30,
      isFaststart: true,
      width: 120,
      height: 160,
    });
    expect(Math.abs(facts.durationSeconds - 5)).toBeLessThanOrEqual(0.1);

    // A later process finds the finished file until it is disposed of.
    const later = await startEngine();
    expect(await later.poll(job, { positions: [] })).toMatchObject({ state: 'completed' });
    await engine.dispose(job);
    expect(await later.poll(job, { positions: [] })).toEqual({ state: 'unknown' });
    await later.close();
    expect(await readdir(workDir)).toEqual(['received.mp4']);
  });

  test('tells the end of a job, and nothing of one that has ended or is unknown', async () => {
    expect(engine.whenEnded!('one')).toBeNull();
    const job = await submit({ ...(await modelChangeOf('busy', false)), generationId: 'one' });
    await engine.whenEnded!('one');
    expect(await engine.poll(job, { positions: [] })).toMatchObject({ state: 'completed' });
    expect(engine.whenEnded!('one')).toBeNull();
  });

  test('takes no path for a job', async () => {
    expect(await engine.poll({ id: '../../etc/passwd', details: {} }, { positions: [] })).toEqual({ state: 'unknown' });
  });

  test('stops a cancelled job at once, waiting ones too, and leaves no file', async () => {
    const photos = [Promise.withResolvers<Readable>(), Promise.withResolvers<Readable>()] as const;
    const startWith = (generationId: string, subject: () => Promise<Readable>) =>
      submit(order(generationId, { durationSeconds: 10, photos: { subject } }));
    const first = await startWith('a', () => photos[0].promise);
    const second = await startWith('b', () => photos[1].promise);
    const waiting = await submit(order('c'));
    // Both places are taken until the photos come, however slow the machine is.
    expect(await engine.poll(waiting, { positions: [] })).toEqual({ state: 'queued' });
    photos[0].resolve(Readable.from([photo]));
    await pollUntil(first, ({ state }) => state === 'running');
    photos[1].resolve(Readable.from([photo]));
    for (const job of [first, second, waiting]) expect(await engine.cancel!(job)).toBe('cancelled');
    expect(await engine.poll(first, { positions: [] })).toEqual({ state: 'unknown' });
    expect(await readdir(workDir)).toEqual([]);
  });

  test('tells a photo whose file is lost from a fault of its own', async () => {
    const lost = async () => {
      throw new ObjectNotFoundError('photos/1001/a/master.jpg');
    };
    const [report] = (await pollUntil(await submit(order('lost', { photos: { subject: lost } })), isOver)).slice(-1);
    expect(report).toMatchObject({ state: 'failed', failure: { code: 'photo_lost', shouldRetry: false } });
  });

  test('reports every failure of a job with its reason, even when asked at the moment of the failure', async () => {
    const refusal = Promise.withResolvers<Readable>();
    const job = await submit(order('breaking', { photos: { subject: () => refusal.promise } }));
    await pollUntil(job, ({ state }) => state === 'preparing');
    refusal.reject(new Error('the disk is gone'));
    const polls: Promise<EngineReport>[] = [];
    for (let i = 0; i < 200; i++) {
      polls.push(engine.poll(job, { positions: [] }));
      await Promise.resolve();
    }
    const reports = [...(await Promise.all(polls)), ...(await pollUntil(job, isOver))];
    const failed = reports.filter(({ state }) => state === 'failed');
    expect(failed).not.toHaveLength(0);
    for (const report of failed) expect(report).toHaveProperty('failure.code', 'engine_error');
  });

  test('clears away files that a crash left behind a day ago', async () => {
    const stale = join(workDir, 'local-stale.partial');
    await writeFile(stale, 'half a video');
    const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await utimes(stale, twoDaysAgo, twoDaysAgo);
    await (await startEngine()).close();
    expect(await readdir(workDir)).toEqual([]);
  });

  test('puts a person before another background and leaves their colours as they are', async () => {
    const { files } = await makePictures(await modelChangeOf('person'));
    expect(files).toHaveLength(1);
    expect(await sharp(files[0]).metadata()).toMatchObject({
      format: 'jpeg',
      width: 120,
      height: 160,
      chromaSubsampling: '4:4:4',
    });
    const pixel = await readPixels(files[0]!);
    const ground = pixel(0.03, 0.05);
    expect(Math.hypot(ground.red - GREEN.r, ground.green - GREEN.g, ground.blue - GREEN.b)).toBeLessThan(12);
    const jumper = pixel(0.5, 0.6);
    expect(Math.hypot(jumper.red - 0x7a, jumper.green - 0x35, jumper.blue - 0x50)).toBeLessThan(32);
    // The photo cuts the figure off at the hips. The picture does so too, at its lower border.
    const hips = pixel(0.5, 0.995);
    expect(hips.green).toBeLessThan(70);
  });

  test('refuses to cut anything out of a street, and shows the street itself when its ground is kept', async () => {
    const job = await submit(await modelChangeOf('busy'));
    const [report] = (await pollUntil(job, isOver)).slice(-1);
    expect(report).toMatchObject({ state: 'failed', failure: { code: 'photo_unsuitable', shouldRetry: false } });
    const { files } = await makePictures(await modelChangeOf('busy', false));
    expect(await sharp(files[0]).metadata()).toMatchObject({ width: 120, height: 160 });
  });

  test('hands over the frames of a photo session one by one, and makes only those that a crash left out', async () => {
    const garment = await drawProductPhoto('garment', { width: 300, height: 400 });
    const session: GenerationOrder = { ...orderOf('photosession', engine), photos: { subject: () => open(garment) } };
    const { job, reports, files } = await makePictures(session);
    expect(files).toHaveLength(5);
    const counts = reports.map((report) => ('outputs' in report ? report.outputs?.length : 0) ?? 0);
    expect(counts.some((count) => count > 0 && count < 5)).toBe(true);
    for (const file of files) {
      const { width, height } = await sharp(file).metadata();
      expect(width! / height!).toBeCloseTo(0.75, 5);
    }
    expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(5);

    await engine.close();
    const kept = (await readdir(workDir)).sort();
    await rm(join(workDir, kept[2]!));
    const others = kept.filter((_, i) => i !== 2);
    const readTimes = () => Promise.all(others.map(async (name) => (await stat(join(workDir, name))).mtimeMs));
    const times = await readTimes();
    engine = await startEngine();
    expect(await engine.poll(job, { positions: [] })).toEqual({ state: 'unknown' });
    const again = await makePictures(session);
    expect((await readdir(workDir)).sort()).toEqual(kept);
    expect(await readTimes()).toEqual(times);
    expect(again.files[2]!.equals(files[2]!)).toBe(true);
    const earliest = again.reports.find((report) => 'outputs' in report && report.outputs);
    expect(earliest).toMatchObject({
      state: 'preparing',
      outputs: [{ position: 0 }, { position: 1 }, { position: 3 }, { position: 4 }],
    });
  });
});
