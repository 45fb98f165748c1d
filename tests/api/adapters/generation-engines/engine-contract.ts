import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  EngineFailureCode,
  EngineJob,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
  SubmitAnswer,
  VideoOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DEFAULT_NEGATIVE_PROMPT, PRESET_PROMPTS } from '#shared/rules/motion-presets.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

/** A way in which a job fails, and what the engine has to say about it. */
export interface FailureCase {
  what: string;
  /** Makes the next job fail so. */
  cause: () => void;
  code: EngineFailureCode;
  shouldRetry: boolean;
  /** Only videos fail so. */
  isOfVideo?: boolean;
  /** Whether the provider refuses the order, so that nothing is started. */
  isRefused?: boolean;
}

/** An engine under test with its provider. A new one for each test. */
export interface EngineHarness {
  /** Another engine for the same provider, as after a restart. It is closed by the contract. */
  createEngine: () => Promise<GenerationEngine>;
  /** How many orders the provider has taken, and may charge for. Null when there is no provider. */
  countTaken: (() => number) | null;
  failures: FailureCase[];
  /** The provider cannot be reached from now on. Absent when there is none. */
  disconnect?: () => Promise<void>;
  /** The provider takes the next order and its answer is lost. Absent when there is none. */
  loseNextAnswer?: () => void;
  /** Jobs do not end from now on. */
  hold: () => void;
  /** A job that the provider never had, in the engine's own form. */
  unknownJob: EngineJob;
}

/** What differs between engines and is known before any is created. */
export interface EngineFacts {
  /** The kinds that it makes. */
  kinds: readonly GenerationKind[];
  /** Whether another engine continues the jobs. Otherwise it does not know them, and they are submitted again. */
  remembersJobs: boolean;
}

type OrderOf = { [Kind in GenerationKind]: Extract<GenerationOrder, { kind: Kind }> };

let person: Buffer;
/** Nothing can be cut out of this photo, so the local engine takes half of the time. */
let street: Buffer;
let scene: Buffer;

/** Draws the pictures of the orders, once. A file of tests calls it before it orders. */
export async function prepareOrders(): Promise<void> {
  person ??= await drawProductPhoto('person', { width: 480, height: 640 });
  street ??= await drawProductPhoto('busy', { width: 480, height: 640 });
  const green = { width: 480, height: 640, channels: 3, background: '#2f6f4f' } as const;
  scene ??= await sharp({ create: green }).jpeg().toBuffer();
}

/** Orders of every kind, for one output or for all, as the engine takes them. */
export function orderOf<Kind extends GenerationKind>(
  kind: Kind,
  engine: Pick<GenerationEngine, 'outputsOfOrder'>,
  position = 0,
): OrderOf[Kind] {
  const { count } = TOOLS[kind].outputs;
  const base = {
    generationId: randomUUID(),
    runId: randomUUID(),
    positions: engine.outputsOfOrder === 'apart' ? [position] : Array.from({ length: count }, (_, index) => index),
    photos: { subject: () => open(kind === 'model_change' ? person : street) },
    webhookUrl: null,
  };
  const orders: OrderOf = {
    video: {
      ...base,
      kind: 'video',
      preset: 'walk',
      category: 'одежда',
      prompt: PRESET_PROMPTS.walk,
      negativePrompt: DEFAULT_NEGATIVE_PROMPT,
      durationSeconds: 5,
      cfgScale: 0.5,
      aspectRatio: '3:4',
    },
    model_change: {
      ...base,
      kind: 'model_change',
      model: { id: 'w1', gender: 'woman', openImage: () => open(scene) },
      background: { id: 'loft', floor: null, openImage: () => open(scene) },
    },
    photosession: { ...base, kind: 'photosession' },
    try_on: { ...base, kind: 'try_on', category: 'tops', photos: { ...base.photos, person: () => open(person) } },
  };
  return orders[kind];
}

async function open(content: Buffer): Promise<Readable> {
  return Readable.from([content]);
}

/** Submits an order that has to be taken. */
export async function submitJob(engine: GenerationEngine, order: GenerationOrder): Promise<EngineJob> {
  const answer = await engine.submit(order);
  if (answer.state !== 'submitted') throw new Error(JSON.stringify(answer));
  return answer.job;
}

/** Polls until the job has ended. */
export async function follow(engine: GenerationEngine, job: EngineJob, order: GenerationOrder): Promise<EngineReport> {
  for (;;) {
    const report = await engine.poll(job, order);
    if (report.state === 'completed' || report.state === 'failed' || report.state === 'unknown') return report;
    await wait(engine.pollIntervalMs);
  }
}

/** The contract of every engine. Each engine's tests run it. */
export function describeEngine(createHarness: CreateHarness, facts: EngineFacts): void {
  const { kinds } = facts;
  describeResults(createHarness, facts);
  describeJobs(createHarness, facts);
  // Failures of one kind stand for all. The photo of a video is fitted to its frame first, which takes longer.
  describeFailures(createHarness, kinds.includes('photosession') ? 'photosession' : (kinds[0] ?? 'video'));
}

type CreateHarness = () => Promise<EngineHarness>;

async function enter(createHarness: CreateHarness) {
  await prepareOrders();
  const harness = await createHarness();
  const createEngine = async () => {
    const engine = await harness.createEngine();
    onTestFinished(() => engine.close());
    return engine;
  };
  return { harness, createEngine, engine: await createEngine() };
}

function describeResults(createHarness: CreateHarness, { kinds }: EngineFacts): void {
  describe.each(GENERATION_KINDS)('%s', (kind) => {
    test.runIf(kinds.includes(kind))('is made: real files of the right type at the ordered positions', async () => {
      const { engine, harness } = await enter(createHarness);
      const last = TOOLS[kind].outputs.count - 1;
      const order = orderOf(kind, engine, last);
      const report = await follow(engine, await submitJob(engine, order), order);
      if (report.state !== 'completed') throw new Error(JSON.stringify(report));
      expect(report.outputs.map(({ position }) => position).toSorted()).toEqual(order.positions);
      for (const output of report.outputs) {
        const content = await buffer(await output.open());
        if (kind === 'video') {
          expect(output.contentType).toBe('video/mp4');
          expect(content.subarray(4, 8).toString()).toBe('ftyp');
        } else {
          const { format, width, height } = await sharp(content).metadata();
          expect(output.contentType).toBe(`image/${format}`);
          expect(height).toBeGreaterThan(width);
        }
        expect(content.equals(await buffer(await output.open()))).toBe(true);
      }
      if (harness.countTaken) expect(harness.countTaken()).toBe(1);
    });
  });

  test('each kind is made exactly when the abilities say so, and has a model and a price in whole millionths', async () => {
    const { engine } = await enter(createHarness);
    for (const kind of GENERATION_KINDS)
      expect([kind, engine.abilities[kind] !== null]).toEqual([kind, kinds.includes(kind)]);
    for (const kind of kinds) {
      const order = orderOf(kind, engine);
      expect(engine.describeModel(order), kind).toMatch(/\S/);
      const price = engine.priceOf(order);
      if (price === null) continue;
      expect(price.currency, kind).toMatch(/^[A-Z]{3}$/);
      expect(Number.isInteger(price.micros) && price.micros > 0, kind).toBe(true);
    }
  });

  test.runIf(kinds.includes('video'))('a video of every offered ratio and length is taken', async () => {
    const { engine, harness } = await enter(createHarness);
    harness.hold();
    const { video } = engine.abilities;
    expect(video?.seconds).toContain(5);
    for (const durationSeconds of video?.seconds ?? []) {
      for (const aspectRatio of video?.aspectRatios ?? []) {
        const order = { ...orderOf('video', engine), durationSeconds, aspectRatio } as VideoOrder;
        const job = await submitJob(engine, order);
        expect(['failed', 'unknown']).not.toContain((await engine.poll(job, order)).state);
        await engine.cancel?.(job);
        await engine.dispose(job);
      }
    }
  });
}

/** The part of the contract about jobs: their ids, how they are found again, and how they are cancelled. */
export function describeJobs(
  createHarness: CreateHarness,
  { kinds: [kind = 'video'], remembersJobs }: EngineFacts,
): void {
  test('each order is a job of its own', async () => {
    const { engine, harness } = await enter(createHarness);
    harness.hold();
    const jobs: EngineJob[] = [];
    for (let count = 0; count < 2; count++) jobs.push(await submitJob(engine, orderOf(kind, engine)));
    expect(jobs[0]?.id).not.toBe(jobs[1]?.id);
    for (const job of jobs) await engine.dispose(job);
  });

  test('after a restart another engine follows the job, or makes the order again', async () => {
    const { engine, createEngine, harness } = await enter(createHarness);
    const order = orderOf(kind, engine);
    const job = await submitJob(engine, order);
    const stored = JSON.parse(JSON.stringify(job)) as EngineJob;
    expect(stored).toEqual(job);
    await engine.close();
    const next = await createEngine();
    let report = await follow(next, stored, order);
    if (!remembersJobs && report.state === 'unknown') report = await follow(next, await submitJob(next, order), order);
    expect(report.state).toBe('completed');
    if (harness.countTaken && remembersJobs) expect(harness.countTaken()).toBe(1);
  });

  test('a job that the provider does not have is unknown, and is cancelled and disposed of without harm', async () => {
    const { engine, harness } = await enter(createHarness);
    for (const job of [harness.unknownJob, { id: randomUUID(), details: {} }]) {
      expect(await engine.poll(job, { positions: [0] })).toEqual({ state: 'unknown' });
      await engine.cancel?.(job);
      await engine.dispose(job);
      await engine.dispose(job);
    }
  });

  test('an order whose answer is lost is uncertain, and is not sent again by the engine', async () => {
    const { engine, harness } = await enter(createHarness);
    if (!harness.loseNextAnswer) return;
    harness.loseNextAnswer();
    const answer: SubmitAnswer = await engine.submit(orderOf(kind, engine));
    expect(answer).toMatchObject({ state: 'uncertain', detail: expect.stringMatching(/\S/) });
    expect(harness.countTaken?.()).toBe(1);
  });

  test.each(['at once', 'after its end'])('a cancellation %s says truly whether there is a result', async (when) => {
    const { engine } = await enter(createHarness);
    if (!engine.cancel) return;
    const order = orderOf(kind, engine);
    const job = await submitJob(engine, order);
    if (when === 'after its end') await follow(engine, job, order);
    const answer = await engine.cancel(job);
    const report = await follow(engine, job, order);
    if (answer === 'runs_on') expect(report.state).toBe('completed');
    else expect(report.state).not.toBe('completed');
  });
}

function describeFailures(createHarness: CreateHarness, kind: GenerationKind): void {
  test('a photo that is none is not suitable, and nothing is paid for', async () => {
    const { engine, harness } = await enter(createHarness);
    const photos = { subject: () => open(Buffer.from('not a photo')) };
    const order = { ...orderOf(kind, engine), photos } as GenerationOrder;
    const failure = await failWith(engine, order);
    expect(failure).toMatchObject({ code: 'photo_unsuitable', shouldRetry: false });
    if (harness.countTaken) expect(harness.countTaken()).toBe(0);
  });

  test('every failure of the provider is told by its code, and nothing is submitted twice', async () => {
    const { harness } = await enter(createHarness);
    for (const [index, { what }] of harness.failures.entries()) {
      const { engine, harness: fresh } = await enter(createHarness);
      const failure = fresh.failures[index];
      failure?.cause();
      const order = orderOf(failure?.isOfVideo ? 'video' : kind, engine);
      const { code, shouldRetry, detail } = await failWith(engine, order);
      expect({ what, code, shouldRetry }).toEqual({ what, code: failure?.code, shouldRetry: failure?.shouldRetry });
      expect(detail).toMatch(/\S/);
      expect(detail).not.toMatch(/https?:/);
      if (fresh.countTaken) expect([what, fresh.countTaken()]).toEqual([what, failure?.isRefused ? 0 : 1]);
    }
  });

  test('a provider that cannot be reached makes submit and poll throw, and nothing is started', async () => {
    const { engine, harness } = await enter(createHarness);
    if (!harness.disconnect) return;
    const order = orderOf(kind, engine);
    const job = await submitJob(engine, order);
    await harness.disconnect();
    await expect(engine.submit(order)).rejects.toThrow();
    await expect(engine.poll(job, order)).rejects.toThrow();
    expect(harness.countTaken?.()).toBe(1);
  });
}

/** How an order fails, be it refused or failed later. */
async function failWith(engine: GenerationEngine, order: GenerationOrder) {
  const answer = await engine.submit(order);
  if (answer.state === 'refused') return answer.failure;
  if (answer.state !== 'submitted') throw new Error(JSON.stringify(answer));
  const report = await follow(engine, answer.job, order);
  if (report.state !== 'failed') throw new Error(JSON.stringify(report));
  return report.failure;
}
