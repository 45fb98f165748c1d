import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EngineReport } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { PHOTOSESSION_FRAMES, PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createAccount, createStoredPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createUnrulyEngine, UNRULY_PRICE, type UnrulyEngine, withEngine } from '#tests/support/unruly-engine.ts';

let testApp: TestApp;
let picture: string;
let app: AppContext;
let engine: UnrulyEngine;
/** What the provider's queue does with a frame: the first one runs, and the others wait. */
let isFirstDone: boolean;
/** Frames for which the provider has no capacity now. */
let refused: number[];
/** What a poll says about a cancelled job. */
let sayCancelled: EngineReport;
/** Called when the provider has cancelled a job, before its answer arrives. */
let onCancelled: () => Promise<unknown>;
let isReachable: boolean;

beforeAll(async () => {
  testApp = await createTestApp();
  picture = path.join(testApp.database.dataDir, 'made.jpg');
  await writeFile(picture, await drawJpeg(900, 1200));
});
afterAll(() => testApp.close());

beforeEach(() => {
  isFirstDone = false;
  refused = [];
  // As fal reports it.
  sayCancelled = {
    state: 'failed',
    failure: { code: 'job_cancelled', detail: 'client_cancelled', shouldRetry: false },
  };
  onCancelled = async () => undefined;
  isReachable = true;
  const plain = createUnrulyEngine({
    files: { video: picture, picture },
    canFindJobs: false,
    nextSubmit: () => ({ say: 'submitted' }),
    nextPoll: () => ({ say: 'completed' }),
    crash: () => new Error('the process died'),
  });
  const running = new Set<string>();
  const cancelled = new Set<string>();
  engine = {
    ...plain,
    async submit(order) {
      if (refused.includes(order.positions[0] ?? 0)) {
        return {
          state: 'refused',
          failure: { code: 'engine_overloaded', detail: '503', shouldRetry: true },
        };
      }
      const answer = await plain.submit(order);
      if (answer.state === 'submitted' && order.positions[0] === 0) running.add(answer.job.id);
      return answer;
    },
    async poll(job, order): Promise<EngineReport> {
      if (cancelled.has(job.id)) return sayCancelled;
      if (!running.has(job.id)) return { state: 'queued' };
      return isFirstDone ? plain.poll(job, order) : { state: 'running', share: null };
    },
    async cancel({ id }) {
      if (!isReachable) throw new Error('connection refused');
      if (running.has(id)) return 'runs_on';
      cancelled.add(id);
      await onCancelled();
      return 'cancelled';
    },
  };
  app = withEngine(testApp.app, engine);
});

/** A session whose frames are all submitted, but for those that are refused now. Nobody follows it. */
async function startSession() {
  const { id: accountId } = await createAccount(app, { stars: PHOTOSESSION_PRICE, isPaid: true });
  const { id: imageId } = await createStoredPhoto(app, accountId);
  const { generationId } = await startGeneration(app, {
    account: { id: accountId },
    kind: 'photosession',
    photos: { subject: { imageId } },
    choice: {},
    key: null,
  });
  const stop = new AbortController();
  const following = runGeneration(app, generationId, stop.signal);
  await expect
    .poll(() => app.db.engineRun.count({ where: { generationId, status: 'submitted' } }), { timeout: 60_000 })
    .toBe(PHOTOSESSION_FRAMES - refused.length);
  stop.abort(new Error('the process stops'));
  await expect(following).rejects.toThrow();
  return { accountId, generationId };
}

function follow(generationId: string) {
  return runGeneration(app, generationId, new AbortController().signal);
}

test('frames that wait are stopped for good when another runs on, and are neither paid nor taken for failures', async () => {
  const { accountId, generationId } = await startSession();
  expect(await cancelGeneration(app, accountId, generationId)).toEqual({ outcome: 'runs_on', hasStopped: true });
  isFirstDone = true;
  await follow(generationId);
  const { status, results, engineRuns } = await app.db.generation.findUniqueOrThrow({
    where: { id: generationId },
    include: { results: true, engineRuns: { orderBy: { position: 'asc' } } },
  });
  expect({ status, frames: results.map(({ position }) => position) }).toEqual({ status: 'completed', frames: [0] });
  expect(engineRuns.map(({ status: end, costMicros }) => [end, costMicros])).toEqual([
    ['succeeded', UNRULY_PRICE.micros],
    ...Array.from({ length: PHOTOSESSION_FRAMES - 1 }, () => ['cancelled', 0]),
  ]);
  expect(await getBalance(app, accountId)).toBe(1);
});

test('a cancellation that does not reach the engine says so, and the session goes on', async () => {
  const { accountId, generationId } = await startSession();
  isReachable = false;
  await expect(cancelGeneration(app, accountId, generationId)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await app.db.engineRun.count({ where: { generationId, status: 'submitted' } })).toBe(PHOTOSESSION_FRAMES);
  isReachable = true;
  expect(await cancelGeneration(app, accountId, generationId)).toMatchObject({ outcome: 'runs_on' });
});

test('a frame that waits for capacity is not submitted after a cancellation, though another frame runs on', async () => {
  refused = [1, 2, 3, 4];
  const { accountId, generationId } = await startSession();
  expect(await cancelGeneration(app, accountId, generationId)).toEqual({ outcome: 'runs_on', hasStopped: true });
  refused = [];
  isFirstDone = true;
  await follow(generationId);
  const { status, results, engineRuns } = await app.db.generation.findUniqueOrThrow({
    where: { id: generationId },
    include: { results: true, engineRuns: true },
  });
  expect({ status, frames: results.map(({ position }) => position) }).toEqual({ status: 'completed', frames: [0] });
  expect(engineRuns.map(({ position }) => position)).toEqual([0]);
  expect(await getBalance(app, accountId)).toBe(1);
});

test.each([
  ['fails as cancelled', null, 0],
  // It may have been made before it was forgotten.
  ['is not there any more', { state: 'unknown' } as const, UNRULY_PRICE.micros],
])('a job that %s before its cancellation is written down is no fault of the engine', async (_, report, costMicros) => {
  sayCancelled = report ?? sayCancelled;
  refused = [0, 2, 3, 4];
  const { accountId, generationId } = await startSession();
  onCancelled = () => follow(generationId);
  expect(await cancelGeneration(app, accountId, generationId)).toMatchObject({ outcome: 'cancelled' });
  const { failureCode, engineRuns } = await app.db.generation.findUniqueOrThrow({
    where: { id: generationId },
    include: { engineRuns: true },
  });
  expect(failureCode).toBe('cancelled');
  expect(engineRuns).toMatchObject([{ position: 1, status: 'cancelled', failureCode: null, costMicros }]);
  expect(await getBalance(app, accountId)).toBe(PHOTOSESSION_PRICE);
});
