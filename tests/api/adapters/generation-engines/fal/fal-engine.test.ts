import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFalEngine } from '#api/adapters/generation-engines/fal/fal-engine.ts';
import type { FalModels } from '#api/adapters/generation-engines/fal/fal-models.ts';
import {
  type EngineOutput,
  type GenerationEngine,
  type ModelChangeOrder,
  UnusableOutputError,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { follow, orderOf, prepareOrders, submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import type { FakeFal, FakeFalJob } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS, type FalCall, type FalFault } from '#tests/support/fake-fal-rules.ts';
import { enterFal, tableWith } from './fal-harness.ts';

beforeAll(prepareOrders);

const inputOf = (job: FakeFalJob | undefined) => job?.input as Record<string, unknown>;
const uploadsOf = (fake: FakeFal) => [...fake.uploads.values()];

describe('an order', () => {
  test('is sent with words, the ratio of its photo, the deadline and the wish to keep nothing', async () => {
    const { fake, engine } = await enterFal();
    const order = { ...orderOf('video', engine), aspectRatio: '9:16', durationSeconds: 10, cfgScale: 0.7 } as const;
    await submitJob(engine, { ...order, webhookUrl: 'https://podium.example/api/engines/fal/a?b=c&d=e' });
    const [job] = fake.jobs;
    expect(job).toMatchObject({
      model: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
      webhookUrl: 'https://podium.example/api/engines/fal/a?b=c&d=e',
      headers: { 'x-fal-store-io': '0', 'x-fal-request-timeout': expect.stringMatching(/^\d+$/) },
    });
    expect(JSON.parse(`${job?.headers['x-fal-object-lifecycle-preference']}`)).toEqual({
      expiration_duration_seconds: expect.any(Number),
    });
    expect(inputOf(job)).toMatchObject({ duration: '10', cfg_scale: 0.7, negative_prompt: /deformed hands/ });
    const [upload] = uploadsOf(fake);
    expect(JSON.parse(upload?.lifecycle ?? '{}').expiration_duration_seconds).toBeLessThanOrEqual(3600);
    expect(await sharp(upload?.content).metadata()).toMatchObject({ format: 'jpeg', width: 1080, height: 1920 });
    expect(inputOf(job).image_url).toBe([...fake.uploads.keys()][0]);
  });

  test('names nobody: no id of the generation, the run, the model or the background leaves the server', async () => {
    const { fake, engine } = await enterFal();
    const order = orderOf('model_change', engine) as ModelChangeOrder;
    await submitJob(engine, order);
    const sent = JSON.stringify([inputOf(fake.jobs[0]), fake.jobs[0]?.headers]);
    for (const id of [order.generationId, order.runId, order.model?.id, order.background?.id]) {
      expect(sent).not.toContain(id);
    }
  });

  test('of a change of model sends the pictures in the sequence of the words, none too large', async () => {
    const { fake, engine } = await enterFal();
    const large = await sharp({ create: { width: 3000, height: 4000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const order = orderOf('model_change', engine) as ModelChangeOrder;
    const { openImage } = order.background ?? {};
    await submitJob(engine, { ...order, photos: { subject: async () => sharp(large) } });
    expect(inputOf(fake.jobs[0]).image_urls).toEqual([...fake.uploads.keys()]);
    expect(openImage && fake.uploads.size).toBe(3);
    expect(await sharp(uploadsOf(fake)[0]?.content).metadata()).toMatchObject({ width: 1536, height: 2048 });
  });

  test.each<[string, Partial<FalModels>, Record<string, unknown>]>([
    ['wan', tableWith('video', 'fal-ai/wan-25-preview/image-to-video', 'wan'), { enable_prompt_expansion: false }],
    ['seedance', tableWith('video', 'fal-ai/bytedance/seedance/v1/pro/image-to-video', 'seedance'), { duration: '5' }],
    ['nano-banana', tableWith('model_change', 'fal-ai/nano-banana/edit', 'nano-banana'), { aspect_ratio: '3:4' }],
    ['seedream', {}, { image_size: { width: 1536, height: 2048 } }],
  ])('of the family %s has the inputs that its model takes', async (family, changes, inputs) => {
    const { fake, engine } = await enterFal({ models: changes });
    const order = orderOf(/wan|seedance/.test(family) ? 'video' : 'model_change', engine);
    const report = await follow(engine, await submitJob(engine, order), order);
    expect(report.state).toBe('completed');
    expect(fake.jobs[0]?.input).toMatchObject(inputs);
  });

  test('has the inputs that the operator has added to the table', async () => {
    const { fake, engine } = await enterFal({ models: tableWith('video', KLING, 'kling', { cfg_scale: 0.9 }) });
    await submitJob(engine, orderOf('video', engine));
    expect(inputOf(fake.jobs[0]).cfg_scale).toBe(0.9);
  });

  test('costs what the table says: a video by its length, a picture by itself', async () => {
    const { engine } = await enterFal();
    const video = orderOf('video', engine);
    expect(engine.priceOf(video)).toEqual({ micros: 350_000, currency: 'USD' });
    expect(engine.priceOf({ ...video, durationSeconds: 10 } as typeof video)).toMatchObject({ micros: 700_000 });
    expect(engine.priceOf(orderOf('photosession', engine))).toMatchObject({ micros: 30_000 });
  });

  test('of a photo session makes five different pictures', async () => {
    const { fake, engine } = await enterFal();
    for (const position of [0, 1, 2, 3, 4]) await submitJob(engine, orderOf('photosession', engine, position));
    expect(new Set(fake.jobs.map((job) => inputOf(job).prompt)).size).toBe(5);
  });
});
const KLING = 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video';

describe('a submit is sent once', () => {
  test.each<[string, FalFault, number]>([
    ['a connection that breaks before', 'cut', 0],
    ['a connection that breaks after', 'take_and_cut', 1],
    ['silence before', 'hang', 0],
    ['silence after', 'take_and_hang', 1],
    ['an inner error', FAL_ANSWERS.internal, 0],
    ['a broken gateway', FAL_ANSWERS.badGateway, 0],
    ['a slow gateway', FAL_ANSWERS.gatewayTimeout, 0],
    ['a slow request', { status: 408 }, 0],
    ['a page in place of an answer', FAL_ANSWERS.html, 0],
    ['an answer without addresses', { status: 200, body: { request_id: randomUUID() } }, 0],
  ])('and is uncertain after %s', async (_what, fault, taken) => {
    // Only silence is given up soon. Before it the photo is uploaded within the same limit.
    const { fake, engine } = await enterFal(/hang/.test(String(fault)) ? { callTimeoutMs: 3_000 } : {});
    fake.behave({ call: ['submit', fault], times: Number.POSITIVE_INFINITY });
    expect(await engine.submit(orderOf('photosession', engine))).toMatchObject({ state: 'uncertain' });
    expect([fake.calls.submit, fake.countTaken()]).toEqual([1, taken]);
  });

  test('and is uncertain when the addresses of the job lead elsewhere, where the key never goes', async () => {
    const { fake, engine } = await enterFal();
    const url = `${fake.settings.FAL_QUEUE_URL.replace('127.0.0.1', 'localhost')}/fal-ai/x/requests/1`;
    const body = { request_id: '1', status_url: url, response_url: url, cancel_url: url };
    fake.behave({ call: ['submit', { status: 200, body }] });
    expect(await engine.submit(orderOf('photosession', engine))).toMatchObject({ state: 'uncertain' });
    const details = { statusUrl: url, responseUrl: url, cancelUrl: url };
    expect(await engine.poll({ id: '1', details }, { positions: [0] })).toEqual({ state: 'unknown' });
    expect(await engine.cancel?.({ id: '1', details })).toBe('cancelled');
    expect(fake.calls.foreign).toBe(0);
  });

  test.each<[FalCall, FalFault]>([
    ['initiate', 'cut'],
    ['initiate', FAL_ANSWERS.badGateway],
    ['initiate', FAL_ANSWERS.html],
    ['put', 'cut'],
    ['put', FAL_ANSWERS.internal],
  ])('and throws, without having sent anything, when %s is answered by %o', async (call, fault) => {
    const { fake, engine } = await enterFal();
    fake.behave({ call: [call, fault] });
    await expect(engine.submit(orderOf('photosession', engine))).rejects.toThrow(/^fal: /);
    expect(fake.calls.submit).toBe(0);
    expect((await engine.submit(orderOf('photosession', engine))).state).toBe('submitted');
  });

  test('and is refused without being sent when the storage is at an unknown host', async () => {
    const { fake, engine } = await enterFal();
    const body = { upload_url: 'https://files.example/put', file_url: 'https://v3.fal.media/files/a.jpg' };
    fake.behave({ call: ['initiate', { status: 200, body }] });
    const failure = { code: 'engine_misconfigured', detail: expect.stringMatching(/host, files\.example$/) };
    expect(await engine.submit(orderOf('photosession', engine))).toMatchObject({ state: 'refused', failure });
    expect(fake.calls.submit).toBe(0);
  });
});

describe('a job', () => {
  test('is asked for by the addresses that fal gave, which lack the end of the model', async () => {
    const { fake, engine } = await enterFal();
    const { id, details } = await submitJob(engine, orderOf('video', engine));
    expect(id).toBe(fake.jobs[0]?.id);
    expect(details.statusUrl).toBe(`${fake.settings.FAL_QUEUE_URL}/fal-ai/kling-video/requests/${id}/status`);
  });

  test('waits, runs and ends', async () => {
    const { engine } = await enterFal();
    const order = orderOf('video', engine);
    const job = await submitJob(engine, order);
    const states = [];
    for (let polls = 0; polls < 3; polls++) states.push((await engine.poll(job, order)).state);
    expect(states).toEqual(['queued', 'running', 'completed']);
  });

  test.each<[FalCall, FalFault]>([
    ...(['cut', FAL_ANSWERS.unauthorized, FAL_ANSWERS.unfunded, FAL_ANSWERS.tooMany] as const).flatMap(
      (fault): [FalCall, FalFault][] => [
        ['status', fault],
        ['result', fault],
      ],
    ),
    ['status', FAL_ANSWERS.internal],
    ['status', FAL_ANSWERS.html],
    ['result', FAL_ANSWERS.badGateway],
    ['result', FAL_ANSWERS.gatewayTimeout],
    ['result', FAL_ANSWERS.unavailable],
    ['file', 'cut'],
  ])('goes on after a poll that throws, when %s is answered by %o', async (call, fault) => {
    const { fake, engine } = await enterFal();
    const order = orderOf('model_change', engine);
    const job = await submitJob(engine, order);
    fake.behave({ call: [call, fault] });
    await expect(follow(engine, job, order)).rejects.toThrow();
    expect((await follow(engine, job, order)).state).toBe('completed');
    expect(fake.countTaken()).toBe(1);
  });

  test('with more than one image gives as many as were ordered', async () => {
    const models = tableWith('model_change', 'fal-ai/nano-banana/edit', 'nano-banana', { num_images: 3 });
    const { engine } = await enterFal({ models });
    const order = orderOf('model_change', engine);
    expect(await follow(engine, await submitJob(engine, order), order)).toMatchObject({
      state: 'completed',
      outputs: [{ position: 0, contentType: 'image/png' }],
    });
  });

  test('whose file has a type that says nothing is taken for what its name says', async () => {
    for (const [kind, contentType] of [
      ['video', 'video/mp4'],
      ['model_change', 'image/jpeg'],
    ] as const) {
      const { fake, engine } = await enterFal();
      fake.behave({ fate: { kind: 'file', fault: 'vague_type' } });
      const order = orderOf(kind, engine);
      const report = await follow(engine, await submitJob(engine, order), order);
      expect(report).toMatchObject({ state: 'completed', outputs: [{ contentType }] });
    }
  });

  test('whose run failed says whether it is charged: faults of the platform are not', async () => {
    const { fake, engine } = await enterFal();
    const failWith = async (status: number, type: string) => {
      const order = orderOf('video', engine);
      const answer = { status, body: { detail: [{ loc: ['body'], msg: '', type }] } };
      fake.behave({ fate: { kind: 'failed', answer } });
      const report = await follow(engine, await submitJob(engine, order), order);
      return report.state === 'failed' && (report.failure.isCharged ?? false);
    };
    expect(await failWith(422, 'content_policy_violation')).toBe(true);
    expect(await failWith(500, 'internal_server_error')).toBe(false);
  });

  test('with a result at a foreign host is failed, and that host is never called', async () => {
    for (const fault of ['foreign', 'redirect'] as const) {
      const { fake, engine } = await enterFal();
      fake.behave({ fate: { kind: 'file', fault } });
      const order = orderOf('model_change', engine);
      const report = await follow(engine, await submitJob(engine, order), order);
      const failure = { code: 'engine_misconfigured', shouldRetry: false, isCharged: true };
      expect(report).toMatchObject({
        state: 'failed',
        failure: { ...failure, detail: expect.stringMatching(/host, localhost:\d+$/) },
      });
      expect(fake.calls.foreign).toBe(0);
    }
  });

  test('with a result without end is cut off', async () => {
    const { fake, engine } = await enterFal();
    fake.behave({ fate: { kind: 'file', fault: 'endless' } });
    const order = orderOf('model_change', engine);
    const report = await follow(engine, await submitJob(engine, order), order);
    if (report.state !== 'completed') throw new Error(JSON.stringify(report));
    const [output] = report.outputs;
    await expect(drain(output)).rejects.toThrow(UnusableOutputError);
  });

  test('never has its files fetched with the key', async () => {
    const { fake, engine } = await enterFal();
    const order = orderOf('model_change', engine);
    const report = await follow(engine, await submitJob(engine, order), order);
    if (report.state !== 'completed') throw new Error(JSON.stringify(report));
    for (const { open } of report.outputs) await buffer(await open());
    expect(fake.calls.file).toBeGreaterThan(0);
    expect(fake.calls.fileWithKey).toBe(0);
  });
});

async function drain(output: EngineOutput | undefined): Promise<void> {
  for await (const _chunk of (await output?.open()) ?? []);
}

describe('a cancellation', () => {
  test('removes a waiting job, which never runs', async () => {
    const { fake, engine } = await enterFal();
    const order = orderOf('video', engine);
    const job = await submitJob(engine, order);
    expect(await engine.cancel?.(job)).toBe('cancelled');
    expect(await follow(engine, job, order)).toEqual({ state: 'unknown' });
    expect(fake.jobs[0]?.result).toBeNull();
  });

  test('leaves a running job alone, which is paid for already', async () => {
    const { fake, engine } = await enterFal();
    const order = orderOf('video', engine);
    const job = await submitJob(engine, order);
    await pollTwice(engine, job, order);
    expect(await engine.cancel?.(job)).toBe('runs_on');
    expect(fake.calls.cancel).toBe(0);
    expect((await follow(engine, job, order)).state).toBe('completed');
  });

  test.each([FAL_ANSWERS.unavailable, FAL_ANSWERS.unauthorized])('that fal answers by %o throws', async (answer) => {
    const { fake, engine } = await enterFal();
    fake.behave({ fate: { kind: 'queued' } });
    const job = await submitJob(engine, orderOf('video', engine));
    fake.behave({ call: ['cancel', answer] });
    await expect(engine.cancel?.(job)).rejects.toThrow();
    expect(await engine.cancel?.(job)).toBe('cancelled');
  });

  test('says that the job runs on when it began in between', async () => {
    const { fake, engine } = await enterFal();
    const order = orderOf('video', engine);
    const job = await submitJob(engine, order);
    fake.behave({ call: ['cancel', { status: 202, body: { status: 'CANCELLATION_REQUESTED' } }] });
    expect(await engine.cancel?.(job)).toBe('runs_on');
    expect(fake.calls.cancel).toBe(1);
  });
});

async function pollTwice(engine: GenerationEngine, ...args: Parameters<GenerationEngine['poll']>): Promise<void> {
  await engine.poll(...args);
  await engine.poll(...args);
}

test('the check starts nothing, and tells a wrong key from a service that is away', async () => {
  const { fake, engine, options } = await enterFal();
  await engine.check?.();
  await expect(createFalEngine({ ...options, key: 'another:key' }).check?.()).rejects.toThrow('401');
  expect(fake.calls.submit).toBe(0);
  await fake.close();
  await expect(engine.check?.()).rejects.toThrow(/^fal: /);
});

test('a tool without a model in the table is not offered', async () => {
  const { options } = await enterFal();
  const { video: _, ...models } = options.models;
  expect(createFalEngine({ ...options, models }).abilities.video).toBeNull();
  const short = tableWith('video', KLING, 'kling').video;
  const engine = createFalEngine({
    ...options,
    models: { ...models, ...(short ? { video: { ...short, prices: { 5: 1 } } } : {}) },
  });
  expect(engine.abilities.video?.seconds).toEqual([5]);
});
