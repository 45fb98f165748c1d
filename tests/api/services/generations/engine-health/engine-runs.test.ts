import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  EngineAwayError,
  type EngineFailure,
  type EngineJob,
  type EngineOutput,
  UnusableOutputError,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { VideoEncoder } from '#api/adapters/video-encoder/video-encoder.ts';
import { NotSentError } from '#api/database/pool.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listAttempts } from '#api/services/generations/engine-health/engine-runs.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { submitOutput } from '#api/services/generations/running/submit-output.ts';
import { UNRULY_PRICE, type UnrulyEngine, withEngine } from '#tests/support/unruly-engine.ts';
import { follow, listRuns, useUnrulyOrders } from '#tests/support/unruly-orders.ts';

const { order } = useUnrulyOrders();

/** The note before a submit whose process died. */
function noteSubmit({ db }: AppContext, engine: UnrulyEngine, generationId: string) {
  return db.engineRun.create({
    data: {
      generationId,
      engine: engine.name,
      kind: 'video',
      model: 'unruly/video',
      position: 0,
      reason: 'first',
      costMicros: UNRULY_PRICE.micros,
      currency: UNRULY_PRICE.currency,
    },
  });
}

test('an interrupted submit that nobody can look for is made once more, and both are in the books with the reason', async () => {
  const { app, engine, generationId } = await order();
  await noteSubmit(app, engine, generationId);
  await follow(app, generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'uncertain', reason: 'first', costMicros: UNRULY_PRICE.micros },
    { status: 'succeeded', reason: 'submit_interrupted', costMicros: UNRULY_PRICE.micros },
  ]);
  expect(engine.paid.get(`${generationId}/0`)).toBe(1);
});

test('a job that the engine took while the database could not serve is noted and not paid for again', async () => {
  const { app, engine, generationId } = await order();
  let refusals = 2;
  const db = app.db.$extends({
    query: {
      engineRun: {
        updateMany({ args, query }) {
          if (args.data.status === 'submitted' && refusals-- > 0)
            throw new NotSentError('no connection to the database');
          return query(args);
        },
      },
    },
  });
  await follow({ ...app, db: db as unknown as AppContext['db'] }, generationId);
  expect(refusals).toBeLessThan(0);
  expect(await listRuns(app, generationId)).toMatchObject([{ status: 'succeeded' }]);
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
  const { app, engine, generationId } = await order();
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
  const { app, engine, generationId } = await order();
  const task = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  const context = { app, engine, task, storedPositions: new Set<number>(), overloads: new Map() };
  const { id } = await noteSubmit(app, engine, generationId);
  await app.db.engineRun.update({ where: { id }, data: { status: 'uncertain' } });
  const early = (await listAttempts(app, generationId)).get(0) ?? null;
  const { id: second } = await noteSubmit(app, engine, generationId);
  await app.db.engineRun.update({ where: { id: second }, data: { status: 'failed', failureCode: 'content_refused' } });
  expect(await submitOutput(context, 0, early)).toEqual({ state: 'waiting' });

  await app.db.engineRun.delete({ where: { id: second } });
  await app.db.generation.update({ where: { id: generationId }, data: { status: 'failed', failureCode: 'cancelled' } });
  expect(await submitOutput(context, 0, early)).toEqual({ state: 'waiting' });
  expect(engine.paid.size).toBe(0);
});

test.each([
  ['that the provider charges is submitted twice', true, 2],
  ['that costs nothing is submitted five times', false, 5],
])('an output with a failure %s at most', async (_, isCharged, submits) => {
  const failure: EngineFailure = { code: 'engine_error', detail: 'test', shouldRetry: true, isCharged };
  const { app, engine, generationId } = await order({ nextPoll: () => ({ say: 'failed', failure }) });
  await follow(app, generationId);
  expect(engine.paid.get(`${generationId}/0`)).toBe(submits);
  const { status, failureCode } = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  expect({ status, failureCode }).toEqual({ status: 'failed', failureCode: 'engine_error' });
});

test('an output whose job finds no capacity is submitted again after a pause that grows', async () => {
  const failure: EngineFailure = { code: 'engine_overloaded', detail: 'test', shouldRetry: true };
  const { app, engine, generationId } = await order({ nextPoll: () => ({ say: 'failed', failure }) });
  const pollIntervalMs = 20;
  const slow = { ...engine, pollIntervalMs };
  await follow(withEngine(app, slow), generationId);
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
  const { app: whole, engine, generationId } = await order();
  const { app, engine: spoilt } = spoil(whole, engine);
  await follow(withEngine(app, spoilt), generationId);
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

test('an engine that is away is asked again as soon as it can say what becomes of the job, and not after a longer pause', async () => {
  const { app, engine, generationId } = await order();
  // Without the word of the engine, the next look comes after the longest pause, a minute.
  const away: UnrulyEngine = { ...engine, pollIntervalMs: 600_000 };
  const looks: number[] = [];
  away.poll = async () => {
    looks.push(performance.now());
    if (looks.length === 1) throw new EngineAwayError(new Error('connection refused'), 10);
    return { state: 'failed', failure: { code: 'photo_unsuitable', detail: 'test', shouldRetry: false } };
  };
  const { id } = await noteSubmit(app, engine, generationId);
  const data = { status: 'submitted', jobId: randomUUID(), jobDetails: {}, submittedAt: new Date() } as const;
  await app.db.engineRun.update({ where: { id }, data });
  await follow(withEngine(app, away), generationId);
  const [first = 0, second = Number.POSITIVE_INFINITY] = looks;
  expect(second - first).toBeLessThan(20_000);
});

test('a result whose reading takes too long is read again, and not paid for again', async () => {
  const { app, engine, generationId } = await order();
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
  const orders = await Promise.all(Array.from({ length: 5 }, () => order()));
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
  const { app, engine, generationId } = await order();
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

test('a submit whose process was seen half a minute ago is taken up, although a submit may take longer', async () => {
  const { app, engine, generationId } = await order();
  await noteSubmit(app, engine, generationId);
  await app.db.$executeRaw`
    update engine_runs set created_at = now() - interval '40 seconds', seen_at = now() - interval '31 seconds'
    where generation_id = ${generationId}::uuid`;
  const patient = { ...engine, submitTimeoutMs: 180_000 };
  await follow(withEngine(app, patient), generationId);
  expect(await listRuns(app, generationId)).toMatchObject([{ status: 'uncertain' }, { status: 'succeeded' }]);
});

test('a run whose worker died after its result was booked is closed as a success at its price', async () => {
  const { app, engine, generationId } = await order();
  await follow(app, generationId);
  await app.db.engineRun.updateMany({ where: { generationId }, data: { status: 'submitted', finishedAt: null } });
  const forgetful: UnrulyEngine = { ...engine, cancel: async () => 'cancelled' };
  await follow(withEngine(app, forgetful), generationId);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'succeeded', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
});

test('a failure is written down even when the engine cannot be asked to forget the job', async () => {
  const failure: EngineFailure = { code: 'content_refused', detail: 'test', shouldRetry: false };
  const { app, engine, generationId } = await order({ nextPoll: () => ({ say: 'failed', failure }) });
  const deaf: UnrulyEngine = { ...engine, dispose: () => Promise.reject(new Error('connection refused')) };
  await follow(withEngine(app, deaf), generationId);
  expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
    status: 'failed',
    failureCode: 'content_refused',
  });
});
