import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findCeiling } from '#api/services/generations/engine-health/engine-budget.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { createStoredPhoto } from '#tests/support/factories.ts';
import { UNRULY_PRICE } from '#tests/support/unruly-engine.ts';
import { failing, STARS, useUnrulyVideos } from '#tests/support/unruly-videos.ts';
import { until } from '#tests/support/until.ts';

const DAY_MS = 24 * 3_600_000;
/** What the database says of the time throughout, so that no day begins in the middle of a test. */
const NOW = new Date();
const YESTERDAY = new Date(NOW.getTime() - DAY_MS);

const videos = useUnrulyVideos();
const { start, make, follow, expectRefused, obstacle } = videos;

beforeEach(() => {
  // Transactions of the extended client are extended, too.
  const db = videos.app.db.$extends({
    query: {
      $queryRaw: async ({ args, query }) => (args.sql === 'select now() as now' ? [{ now: NOW }] : query(args)),
    },
  });
  videos.app = { ...videos.app, db: db as unknown as AppContext['db'] };
});

function startSession(accountId: number, imageId: string) {
  return startGeneration(videos.app, {
    account: { id: accountId },
    kind: 'photosession',
    photos: { subject: { imageId } },
    choice: {},
    key: null,
  });
}

describe('what one account may use up in a day', () => {
  test.each([
    { isPaid: false, share: 0.05 },
    { isPaid: true, share: 0.25 },
  ])('is a share of the budget, and others go on: %j', async ({ isPaid, share }) => {
    videos.app.config.engineDailyBudgetMicros = (2 * UNRULY_PRICE.micros) / share;
    const { accountId } = await make({ isPaid });
    expect((await make({ by: accountId })).status).toBe('completed');
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_share_reached', status: 429 });
    expect(await getBalance(videos.app, accountId)).toBe(STARS - 2);
    expect((await make({ isPaid })).status).toBe('completed');
  });

  test('is counted where runs begin, too, so that orders of several tools at once stay within it', async () => {
    videos.app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros / 0.25;
    const { accountId, begin } = await start();
    const [garment, person] = [
      await createStoredPhoto(videos.app, accountId),
      await createStoredPhoto(videos.app, accountId),
    ];
    const started = await Promise.all([
      begin(),
      startGeneration(videos.app, {
        account: { id: accountId },
        kind: 'try_on',
        choice: tryOnSettings.parse({}),
        key: null,
        photos: { subject: { imageId: garment.id }, person: { imageId: person.id } },
      }),
    ]);
    await Promise.all(started.map(({ generationId }) => follow(generationId)));
    expect(await videos.app.db.engineRun.count()).toBe(1);
    const { failureCode } = await videos.app.db.generation.findFirstOrThrow({
      where: { id: { in: started.map(({ generationId }) => generationId) }, failureCode: { not: null } },
    });
    expect(failureCode).toBe('engine_share_reached');
  });

  test('are three failures that the provider charges for: then nothing is submitted, and others go on', async () => {
    videos.onPoll = {
      say: 'failed',
      failure: { code: 'content_refused', detail: 'policy', shouldRetry: false, isCharged: true },
    };
    const { accountId } = await make();
    await make({ by: accountId });
    expect(await make({ by: accountId })).toMatchObject({ failureCode: 'content_refused', balance: STARS });
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_refusals_reached', status: 429 });
    expect(await getBalance(videos.app, accountId)).toBe(STARS);
    expect(await videos.app.db.engineRun.count()).toBe(3);
    videos.onPoll = { say: 'completed' };
    expect((await make()).status).toBe('completed');
    await videos.app.db.engineRun.updateMany({ data: { createdAt: YESTERDAY } });
    expect((await make({ by: accountId })).status).toBe('completed');
  });

  test('keep nobody waiting who has had none: a session and a video are made at the same time', async () => {
    videos.onPoll = { say: 'running' };
    const { accountId, begin } = await start();
    const { id: imageId } = await createStoredPhoto(videos.app, accountId);
    const session = await startSession(accountId, imageId);
    const video = await begin();
    const stopping = new AbortController();
    const running = [session, video].map(({ generationId }) =>
      runGeneration(videos.app, generationId, stopping.signal),
    );
    await until(async () => expect(await videos.app.db.engineRun.count({ where: { status: 'submitted' } })).toBe(6));
    stopping.abort();
    await Promise.allSettled(running);
  });

  test('are three also where jobs are under way, which count as failures once one has failed', async () => {
    const failure = { code: 'content_refused', detail: 'policy', shouldRetry: false, isCharged: true } as const;
    videos.onPoll = { say: 'failed', failure };
    const { accountId } = await make();
    const { id: imageId } = await createStoredPhoto(videos.app, accountId);
    const { generationId } = await startSession(accountId, imageId);
    await follow(generationId);
    // Two of five frames.
    expect(await videos.app.db.engineRun.count({ where: { generationId } })).toBe(2);
    expect(await videos.app.db.engineRun.count({ where: { generation: { accountId } } })).toBe(3);
    expect(await getBalance(videos.app, accountId)).toBe(STARS);
  });

  test('says when it goes on', async () => {
    videos.app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros;
    const { begin } = await start();
    const refusal = await begin().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('после 3:00 по Москве') });
    const midnight = new Date(NOW).setUTCHours(24, 0, 0, 0);
    expect(refusal).toMatchObject({ extra: { retryAfter: Math.ceil((midnight - NOW.getTime()) / 1000) } });
  });
});

describe('the ceiling of a day', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['it is reached', 4],
    ['the rest of the budget does not pay for the order', 4.5],
  ])('refuses starts when %s, before anything is held', async (_, count) => {
    videos.app.config.engineDailyBudgetMicros = count * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) expect((await make()).status).toBe('completed');
    expect(await obstacle()).toBe('engine_budget_reached');
    await expectRefused('engine_budget_reached');
  });

  test('holds for orders that are submitted at the same time, and gives the stars of the others back', async () => {
    videos.app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    const orders = await Promise.all(Array.from({ length: 7 }, () => start()));
    const started = await Promise.all(orders.map(({ begin }) => begin()));
    await Promise.all(started.map(({ generationId }) => follow(generationId)));
    const balances = await Promise.all(orders.map(({ accountId }) => getBalance(videos.app, accountId)));
    expect(balances.filter((balance) => balance === STARS)).toHaveLength(3);
    expect(await videos.app.db.engineRun.count()).toBe(4);
    const failed = await videos.app.db.generation.findMany({
      where: { id: { in: started.map(({ generationId }) => generationId) }, status: 'failed' },
    });
    expect(new Set(failed.map(({ failureCode }) => failureCode))).toEqual(new Set(['engine_budget_reached']));
  });

  test('holds while the clock of the process is a day ahead of that of the database', async () => {
    videos.app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) await make();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
    expect(await obstacle()).toBe('engine_budget_reached');
  });

  test('is that of one day, also when midnight comes while it is looked at', async () => {
    videos.app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    const { accountId } = await make();
    const { db } = videos.app;
    const times = [NOW, new Date(NOW.getTime() + DAY_MS)];
    const passingMidnight: AppContext['db'] = Object.create(db, {
      $queryRaw: { value: async () => [{ now: times.shift() }] },
    });
    const work = {
      engine: videos.engine.name,
      micros: UNRULY_PRICE.micros,
      account: { id: accountId, isUnpaid: false },
    };
    expect(await findCeiling(passingMidnight, videos.app.config, work)).toBe('engine_share_reached');
  });

  test('does not count what yesterday cost', async () => {
    videos.app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) await make();
    await videos.app.db.engineRun.updateMany({ data: { createdAt: YESTERDAY } });
    expect((await make()).status).toBe('completed');
  });

  test('leaves half of the budget to accounts that have paid, however many others there are', async () => {
    videos.app.config.engineDailyBudgetMicros = 40 * UNRULY_PRICE.micros;
    expect((await make({ isPaid: false })).status).toBe('completed');
    // As if twenty had ordered.
    await videos.app.db.engineRun.updateMany({ data: { costMicros: 20 * UNRULY_PRICE.micros } });
    await expectRefused('engine_free_runs_reached', { isPaid: false });
    expect((await make({ isPaid: true })).status).toBe('completed');
  });

  test('for accounts that have never paid is a share for each, and orders that cost nothing do not count', async () => {
    videos.app.config.engineFreeRuns = 3;
    videos.onPoll = failing('content_refused');
    for (let order = 0; order < 3; order++) expect((await make({ isPaid: false })).status).toBe('failed');
    videos.onPoll = { say: 'completed' };
    const { accountId } = await make({ isPaid: false });
    expect((await make({ by: accountId })).status).toBe('completed');
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_share_reached' });
    expect((await make({ isPaid: false })).status).toBe('completed');
    await expectRefused('engine_free_runs_reached', { isPaid: false });
  });

  test('for accounts that have never paid counts no failures of a GPU of your own, but what was cancelled there', async () => {
    const own: GenerationEngine = { ...videos.engine, priceOf: () => null };
    videos.useEngine(own);
    videos.app.config.engineFreeRuns = 2;
    videos.onPoll = failing('engine_error');
    const { accountId } = await make({ isPaid: false });
    await make({ isPaid: false, by: accountId });
    videos.onPoll = { say: 'completed' };
    expect((await make({ isPaid: false, by: accountId })).status).toBe('completed');
    await videos.app.db.engineRun.updateMany({ where: { status: 'failed' }, data: { status: 'cancelled' } });
    await expectRefused('engine_free_runs_reached', { isPaid: false });
  });

  test('for accounts that have never paid leaves those alone that have', async () => {
    videos.app.config.engineFreeRuns = 1;
    expect((await make({ isPaid: false })).status).toBe('completed');
    await expectRefused('engine_free_runs_reached', { isPaid: false });
    expect((await make({ isPaid: true })).status).toBe('completed');
    expect(await obstacle()).toBeNull();
  });
});
