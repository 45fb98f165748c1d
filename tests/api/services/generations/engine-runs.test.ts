import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type EngineFailure,
  type EngineJob,
  type EngineOutput,
  type JobPrice,
  UnusableOutputError,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { StorageFullError } from '#api/adapters/storage/object-storage.ts';
import type { VideoEncoder } from '#api/adapters/video-encoder/video-encoder.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listAttempts } from '#api/services/generations/engine-runs.ts';
import { failOverdueGenerations } from '#api/services/generations/outcome.ts';
import { runGeneration } from '#api/services/generations/run-generation.ts';
import { submitRun } from '#api/services/generations/submit-run.ts';
import { startVideo } from '#api/services/generations/videos.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { createAccount, createStoredPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createUnrulyEngine, type PollEvent, UNRULY_PRICE, type UnrulyEngine } from '#tests/support/unruly-engine.ts';

let testApp: TestApp;
let video: string;

beforeAll(async () => {
  testApp = await createTestApp();
  video = path.join(testApp.database.dataDir, 'made.mp4');
  await writeFile(video, (await drawTestVideo()).content);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.app.db.engineRun.deleteMany();
  await testApp.app.db.engineOutage.deleteMany();
});

/** An engine that takes and completes everything, and a video that waits for it. */
async function order({ canFindJobs, nextPoll }: { canFindJobs: boolean; nextPoll?: () => PollEvent }) {
  const engine = createUnrulyEngine({
    ...{ files: { video, picture: video }, canFindJobs },
    nextSubmit: () => ({ say: 'submitted' }),
    nextPoll: nextPoll ?? (() => ({ say: 'completed' })),
    crash: () => new Error('the process died'),
  });
  const app: AppContext = { ...testApp.app, engines: { all: [engine], of: () => engine, find: () => engine } };
  const { id: accountId } = await createAccount(app, { isPaid: true });
  const { id: photoId } = await createStoredPhoto(app, accountId);
  const settings = videoSettings.parse({});
  const { generationId } = await startVideo(app, { accountId, photoId, settings, idempotencyKey: null });
  return { app, engine, accountId, generationId };
}

/** The note before a submit whose process died. */
function noteSubmit({ db }: AppContext, engine: UnrulyEngine, generationId: string) {
  return db.engineRun.create({
    data: {
      ...{ generationId, engine: engine.name, kind: 'video', model: 'unruly/video', position: 0, reason: 'first' },
      ...{ costMicros: UNRULY_PRICE.micros, currency: UNRULY_PRICE.currency },
    },
  });
}

function listRuns({ db }: AppContext, generationId: string) {
  return db.engineRun.findMany({
    where: { generationId },
    orderBy: { createdAt: 'asc' },
    select: { status: true, reason: true, costMicros: true },
  });
}

function follow(app: AppContext, generationId: string) {
  return runGeneration(app, generationId, new AbortController().signal);
}

test('an interrupted submit that nobody can look for is made once more, and both are in the books with the reason', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  await noteSubmit(app, engine, generationId);
  await follow(app, generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'uncertain', reason: 'first', costMicros: UNRULY_PRICE.micros },
    { status: 'succeeded', reason: 'submit_interrupted', costMicros: UNRULY_PRICE.micros },
  ]);
  expect(engine.paid.get(`${generationId}/0`)).toBe(1);
});

test('the job of an interrupted submit is found where the engine can be asked, and nothing is submitted again', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: true });
  const { id: runId } = await noteSubmit(app, engine, generationId);
  const found: EngineJob = { id: randomUUID(), details: { runId } };
  const asked: string[] = [];
  const knowing: UnrulyEngine = {
    ...engine,
    findJob: async ({ runId: id }) => (id === runId ? found : null),
    async poll({ id }) {
      asked.push(id);
      return { state: 'failed', failure: { code: 'photo_unsuitable', detail: 'test', shouldRetry: false } };
    },
  };
  const engines = { all: [knowing], of: () => knowing, find: () => knowing };
  await follow({ ...app, engines }, generationId);
  expect(asked).toEqual([found.id]);
  expect(await listRuns(app, generationId)).toEqual([{ status: 'failed', reason: 'first', costMicros: 0 }]);
  expect(engine.paid.size).toBe(0);
});

test('an interrupted submit of a generation that has ended is not made again, and stays in the books', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  await noteSubmit(app, engine, generationId);
  await app.db.generation.update({
    where: { id: generationId },
    data: { status: 'failed', failureCode: 'cancelled', finishedAt: new Date() },
  });
  await follow(app, generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'uncertain', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
  expect(engine.paid.size).toBe(0);
});

test('a worker that looked too early submits nothing: neither after another worker nor after a cancellation', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  const task = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  const context = { app, engine, task, storedPositions: new Set<number>(), overloads: new Map() };
  const { id } = await noteSubmit(app, engine, generationId);
  await app.db.engineRun.update({ where: { id }, data: { status: 'uncertain' } });
  const early = (await listAttempts(app, generationId)).get(0) ?? null;
  const { id: second } = await noteSubmit(app, engine, generationId);
  await app.db.engineRun.update({ where: { id: second }, data: { status: 'failed', failureCode: 'content_refused' } });
  expect(await submitRun(context, 0, early)).toEqual({ state: 'waiting' });

  await app.db.engineRun.delete({ where: { id: second } });
  await app.db.generation.update({ where: { id: generationId }, data: { status: 'failed', failureCode: 'cancelled' } });
  expect(await submitRun(context, 0, early)).toEqual({ state: 'waiting' });
  expect(engine.paid.size).toBe(0);
});

test.each([
  ['that the provider charges is submitted twice', true, 2],
  ['that costs nothing is submitted five times', false, 5],
])('an output with a failure %s at most', async (_, isCharged, submits) => {
  const failure: EngineFailure = { code: 'engine_error', detail: 'test', shouldRetry: true, isCharged };
  const { app, engine, generationId } = await order({
    canFindJobs: false,
    nextPoll: () => ({ say: 'failed', failure }),
  });
  await follow(app, generationId);
  expect(engine.paid.get(`${generationId}/0`)).toBe(submits);
  const { status, failureCode } = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  expect({ status, failureCode }).toEqual({ status: 'failed', failureCode: 'engine_error' });
});

test('an output whose job finds no capacity is submitted again after a pause that grows', async () => {
  const failure: EngineFailure = { code: 'engine_overloaded', detail: 'test', shouldRetry: true };
  const { app, engine, generationId } = await order({
    canFindJobs: false,
    nextPoll: () => ({ say: 'failed', failure }),
  });
  const pollIntervalMs = 20;
  const slow = { ...engine, pollIntervalMs };
  await follow({ ...app, engines: { all: [slow], of: () => slow, find: () => slow } }, generationId);
  const runs = await app.db.engineRun.findMany({ where: { generationId }, orderBy: { createdAt: 'asc' } });
  expect(runs).toHaveLength(5);
  for (const [index, run] of runs.slice(1).entries()) {
    const pause = run.createdAt.getTime() - (runs[index]?.finishedAt?.getTime() ?? 0);
    expect(pause).toBeGreaterThanOrEqual(pollIntervalMs * 2 ** (index + 1) - 5);
  }
});

test.each([
  ['cannot be read', (app: AppContext, engine: UnrulyEngine) => ({ app: unableToRead(app), engine })],
  ['are too large', (app: AppContext, engine: UnrulyEngine) => ({ app, engine: makingTooMuch(engine) })],
])('a model whose files %s is paid for twice', async (_, spoil) => {
  const { app: whole, engine, generationId } = await order({ canFindJobs: false });
  const { app, engine: spoilt } = spoil(whole, engine);
  await follow({ ...app, engines: { all: [spoilt], of: () => spoilt, find: () => spoilt } }, generationId);
  expect(engine.paid.get(`${generationId}/0`)).toBe(2);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'failed', reason: 'first', costMicros: UNRULY_PRICE.micros },
    { status: 'failed', reason: 'failed_before', costMicros: UNRULY_PRICE.micros },
  ]);
});

function unableToRead(app: AppContext): AppContext {
  return { ...app, videoEncoder: { ...app.videoEncoder, probe: () => Promise.reject(new Error('not a video')) } };
}

/** The size is known only when the file is read. */
function makingTooMuch(engine: UnrulyEngine): UnrulyEngine {
  const open = async () => new Readable({ read: (): void => void 0 }).destroy(new UnusableOutputError('too large'));
  const outputs: EngineOutput[] = [{ contentType: 'video/mp4', position: 0, open }];
  return { ...engine, poll: async () => ({ state: 'completed', outputs }) };
}

test('a photo whose file is lost ends its order at once, and closes the tool for nobody', async () => {
  const orders = await Promise.all(Array.from({ length: 5 }, () => order({ canFindJobs: false })));
  for (const { app, engine, accountId, generationId } of orders) {
    const [photo] = await app.db.photo.findMany({ where: { accountId } });
    await app.storage.remove(photo?.masterKey ?? '');
    const reading: UnrulyEngine = {
      ...engine,
      async submit(asked) {
        if (asked.kind === 'video') await buffer(await asked.photos.subject());
        return engine.submit(asked);
      },
    };
    await follow({ ...app, engines: { all: [reading], of: () => reading, find: () => reading } }, generationId);
    expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
      status: 'failed',
      failureCode: 'photo_lost',
    });
    expect(await listRuns(app, generationId)).toEqual([{ status: 'failed', reason: 'first', costMicros: 0 }]);
  }
  expect(await testApp.app.db.engineOutage.count()).toBe(0);
});

test('a result whose reading takes too long is read again, and not paid for again', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  let reads = 0;
  const slow: VideoEncoder = {
    ...app.videoEncoder,
    async probe(...request) {
      if (++reads === 1) throw new DOMException('too slow', 'TimeoutError');
      return app.videoEncoder.probe(...request);
    },
  };
  await follow({ ...app, videoEncoder: slow }, generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'succeeded', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
  expect(engine.paid.get(`${generationId}/0`)).toBe(1);
});

test('results that are ready at once are stored two at a time', async () => {
  const orders = await Promise.all(Array.from({ length: 5 }, () => order({ canFindJobs: false })));
  let [reading, most] = [0, 0];
  await Promise.all(
    orders.map(({ app, generationId }) => {
      const counting: VideoEncoder = {
        ...app.videoEncoder,
        async probe(...request) {
          most = Math.max(most, ++reading);
          const facts = await app.videoEncoder.probe(...request);
          reading--;
          return facts;
        },
      };
      return follow({ ...app, videoEncoder: counting }, generationId);
    }),
  );
  expect(most).toBe(2);
});

test('a submit that another worker is making right now is left alone', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  await noteSubmit(app, engine, generationId);
  const patient = { ...engine, submitTimeoutMs: 60_000 };
  let steps = 0;
  const find = () => {
    steps++;
    return patient;
  };
  const engines = { all: [patient], of: () => patient, find };
  const stop = new AbortController();
  const following = runGeneration({ ...app, engines }, generationId, stop.signal);
  await expect.poll(() => steps, { timeout: 60_000 }).toBeGreaterThan(3);
  stop.abort(new Error('the process stops'));
  await expect(following).rejects.toThrow();
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'submitting', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
});

test('a run whose worker died after its result was booked is closed as a success at its price', async () => {
  const { app, engine, generationId } = await order({ canFindJobs: false });
  await follow(app, generationId);
  await app.db.engineRun.updateMany({ where: { generationId }, data: { status: 'submitted', finishedAt: null } });
  const forgetful: UnrulyEngine = { ...engine, cancel: async () => 'cancelled' };
  await follow({ ...app, engines: { all: [forgetful], of: () => forgetful, find: () => forgetful } }, generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'succeeded', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
});

test('a failure is written down even when the engine cannot be asked to forget the job', async () => {
  const failure: EngineFailure = { code: 'content_refused', detail: 'test', shouldRetry: false };
  const { app, engine, generationId } = await order({
    canFindJobs: false,
    nextPoll: () => ({ say: 'failed', failure }),
  });
  const deaf: UnrulyEngine = { ...engine, dispose: () => Promise.reject(new Error('connection refused')) };
  await follow({ ...app, engines: { all: [deaf], of: () => deaf, find: () => deaf } }, generationId);
  expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
    status: 'failed',
    failureCode: 'content_refused',
  });
});

describe('a job that still runs when its generation has timed out', () => {
  /** A job that was submitted 31 minutes ago and runs until `end`. */
  async function hang(price: JobPrice | null) {
    let polls = 0;
    let event: PollEvent = { say: 'running' };
    const nextPoll = (): PollEvent => {
      polls++;
      return event;
    };
    const end = () => {
      event = { say: 'completed' };
    };
    const { app, engine, generationId } = await order({ canFindJobs: false, nextPoll });
    const stopped: string[] = [];
    const hanging: UnrulyEngine = {
      ...engine,
      priceOf: () => price,
      async cancel({ id }) {
        stopped.push(id);
        return 'cancelled';
      },
    };
    const context = { ...app, engines: { all: [hanging], of: () => hanging, find: () => hanging } };
    const stop = new AbortController();
    const following = runGeneration(context, generationId, stop.signal);
    await expect.poll(() => app.db.engineRun.count({ where: { status: 'submitted' } }), { timeout: 20_000 }).toBe(1);
    const longAgo = new Date(Date.now() - GENERATION_TIMEOUT_MS - 60_000);
    await app.db.engineRun.updateMany({ where: { generationId }, data: { submittedAt: longAgo } });
    await app.db.generation.update({ where: { id: generationId }, data: { createdAt: longAgo } });
    await failOverdueGenerations(context);
    return { app: context, engine: hanging, generationId, polls: () => polls, end, stopped, stop, following };
  }

  test('is stopped where it costs nothing, and its place is free', async () => {
    const { app, generationId, stopped, following } = await hang(null);
    await following;
    expect(stopped).toHaveLength(1);
    expect(await listRuns(app, generationId)).toEqual([{ status: 'cancelled', reason: 'first', costMicros: 0 }]);
  });

  test('is awaited where it is paid for', async () => {
    const { polls, stopped, stop, following } = await hang(UNRULY_PRICE);
    const before = polls();
    await expect.poll(polls, { timeout: 20_000 }).toBeGreaterThan(before + 2);
    expect(stopped).toEqual([]);
    stop.abort(new Error('the process stops'));
    await expect(following).rejects.toThrow();
  });

  test('has a result that waits for space on a full disk, with pauses between the attempts', async () => {
    const { app, engine, generationId, end, stop, following } = await hang(UNRULY_PRICE);
    const [full, answered] = [vi.spyOn(app.storage, 'put'), vi.spyOn(engine, 'poll')];
    full.mockRejectedValue(new StorageFullError('test'));
    // The pause after the first attempt outlasts the test.
    Object.assign(engine, { pollIntervalMs: 60_000 });
    end();
    await vi.waitFor(() => expect(full).toHaveBeenCalled(), 60_000);
    const before = answered.mock.calls.length;
    for (let query = 0; query < 100; query++) await app.db.$queryRaw`select 1`;
    expect(answered.mock.calls.length).toBe(before);
    stop.abort(new Error('the process stops'));
    await expect(following).rejects.toThrow();
    full.mockRestore();
    await follow(app, generationId);
    expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
      status: 'completed',
      failureCode: null,
    });
  });
});
