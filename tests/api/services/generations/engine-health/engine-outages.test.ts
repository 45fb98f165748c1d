import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  EngineFailure,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { withdrawTransferConsent } from '#api/services/accounts/consent.ts';
import { readBooks } from '#api/services/administration/books.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findCeiling, secondsUntilNextDay } from '#api/services/generations/engine-health/engine-budget.ts';
import { describeOffer } from '#api/services/generations/engine-health/engine-outages.ts';
import { probeEngine } from '#api/services/generations/engine-health/engine-probes.ts';
import { endGeneration, failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { createAccount, createStoredPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createUnrulyEngine, type PollEvent, type SubmitEvent, UNRULY_PRICE } from '#tests/support/unruly-engine.ts';
import { until } from '#tests/support/until.ts';

const STARS = 10;

/** What the clock of the database says. Null: the time. */
const databaseClock = vi.hoisted(() => ({ now: null as Date | null }));
vi.mock(import('#api/database/database-time.ts'), async (load) => {
  const { readDatabaseTime } = await load();
  return { readDatabaseTime: vi.fn(async (db) => databaseClock.now ?? (await readDatabaseTime(db))) };
});

let testApp: TestApp;
let app: AppContext;
let onSubmit: SubmitEvent;
let onPoll: PollEvent;
let engine: GenerationEngine;

beforeAll(async () => {
  testApp = await createTestApp();
  const video = path.join(testApp.database.dataDir, 'made.mp4');
  await writeFile(video, (await drawTestVideo()).content);
  engine = createUnrulyEngine({
    files: { video, picture: video },
    canFindJobs: false,
    nextSubmit: () => onSubmit,
    nextPoll: () => onPoll,
    crash: () => new Error('the process died'),
  });
});
afterAll(() => testApp.close());

beforeEach(async () => {
  onSubmit = { say: 'submitted' };
  onPoll = { say: 'completed' };
  app = {
    ...testApp.app,
    engines: { all: [engine], of: () => engine, find: () => engine },
    config: { ...testApp.app.config, engineDailyBudgetMicros: null, engineFreeRuns: null },
  };
  await app.db.engineOutage.deleteMany();
  await app.db.engineRun.deleteMany();
  // Those that an earlier test has given up.
  await app.db.generation.updateMany({ where: { failureCode: 'timed_out' }, data: { failureCode: 'engine_error' } });
});

interface Start {
  isPaid?: boolean;
  settings?: object;
  /** A new one if absent. */
  by?: number;
}

async function start({ isPaid = true, settings = {}, by }: Start = {}) {
  const accountId = by ?? (await createAccount(app, { stars: STARS, isPaid })).id;
  const { id: photoId } = await createStoredPhoto(app, accountId);
  const begin = () => startVideo(accountId, photoId, settings);
  return { accountId, begin };
}

function startVideo(accountId: number, imageId: string, settings: Start['settings'] = {}) {
  return startGeneration(app, {
    account: { id: accountId },
    kind: 'video',
    photos: { subject: { imageId } },
    key: null,
    choice: videoSettings.parse(settings),
  });
}

function startSession(accountId: number, imageId: string) {
  return startGeneration(app, {
    account: { id: accountId },
    kind: 'photosession',
    photos: { subject: { imageId } },
    choice: {},
    key: null,
  });
}

/** Starts a video and follows it to its end. */
async function make(options: Start = {}) {
  const { accountId, begin } = await start(options);
  const { generationId } = await begin();
  await runGeneration(app, generationId, new AbortController().signal);
  const { status, failureCode } = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  return { accountId, generationId, status, failureCode, balance: await getBalance(app, accountId) };
}

async function expectRefused(code: string, options: Parameters<typeof start>[0] = {}) {
  const { accountId, begin } = await start(options);
  await expect(begin()).rejects.toMatchObject({ code });
  expect(await getBalance(app, accountId)).toBe(STARS);
  expect(await app.db.generation.count({ where: { accountId } })).toBe(0);
}

async function obstacleOfVideos() {
  const { tools } = await describeOffer(app, null);
  return tools.find(({ kind }) => kind === 'video')?.obstacle?.code ?? null;
}

function failing(code: EngineFailure['code']): PollEvent {
  return { say: 'failed', failure: { code, detail: 'test', shouldRetry: false } };
}

/** The pause of every open outage is over. */
async function letPausesPass() {
  await app.db.engineOutage.updateMany({ data: { retryAt: new Date(Date.now() - 1) } });
}

describe('an empty balance at the provider', () => {
  beforeEach(() => {
    onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  });

  test('gives the stars back and closes every tool of the engine', async () => {
    expect(await make()).toMatchObject({ status: 'failed', failureCode: 'engine_maintenance', balance: STARS });
    expect((await describeOffer(app, null)).tools.map(({ obstacle }) => obstacle?.code)).toEqual(
      Array.from({ length: 4 }, () => 'engine_maintenance'),
    );
    await expectRefused('engine_maintenance');
    expect(await app.db.engineRun.aggregate({ _sum: { costMicros: true } })).toEqual({ _sum: { costMicros: 0 } });
  });

  test('is tried again by one order after a pause, and is over when that order succeeds', async () => {
    await make();
    await letPausesPass();
    expect(await obstacleOfVideos()).toBeNull();
    expect((await make()).failureCode).toBe('engine_maintenance');
    await letPausesPass();
    onSubmit = { say: 'submitted' };
    const [first, second] = [await start(), await start()];
    const { generationId } = await first.begin();
    await expect(second.begin()).rejects.toMatchObject({ code: 'engine_maintenance' });
    await runGeneration(app, generationId, new AbortController().signal);
    await second.begin();
    expect(await obstacleOfVideos()).toBeNull();
    expect(await app.db.engineOutage.count({ where: { closedAt: null } })).toBe(0);
  });
});

test('the trial during an outage is not used up by an account with too few stars, or with an active video', async () => {
  const busy = await start();
  await busy.begin();
  onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  await make();
  await letPausesPass();
  const { id: accountId } = await createAccount(app, { stars: 0, isPaid: true });
  const { id: photoId } = await createStoredPhoto(app, accountId);
  const poor = startVideo(accountId, photoId);
  await expect(poor).rejects.toMatchObject({ code: 'not_enough_stars' });
  await expect(busy.begin()).rejects.toMatchObject({ code: 'active_generation' });
  onSubmit = { say: 'submitted' };
  expect((await make()).status).toBe('completed');
});

test('an outage does not end with a job that was submitted before it', async () => {
  const { begin } = await start();
  const { generationId } = await begin();
  onPoll = { say: 'running' };
  const following = runGeneration(app, generationId, new AbortController().signal);
  await until(async () => expect(await app.db.engineRun.count({ where: { status: 'submitted' } })).toBe(1));
  onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  await make();
  onPoll = { say: 'completed' };
  await following;
  expect((await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).status).toBe('completed');
  expect(await obstacleOfVideos()).toBe('engine_maintenance');
});

test('an order that is refused at the door, as a firewall does, closes nothing alone', async () => {
  onSubmit = { say: 'refused', failure: { code: 'engine_misconfigured', detail: '403 blocked', shouldRetry: false } };
  await make();
  await make();
  expect(await obstacleOfVideos()).toBeNull();
  await make();
  expect(await obstacleOfVideos()).toBe('engine_maintenance');
});

describe('an input that the engine rejects', () => {
  const rejected: PollEvent = {
    say: 'failed',
    failure: { code: 'engine_misconfigured', detail: '422', shouldRetry: false },
  };

  test('closes the tool when it happens to three accounts in a row', async () => {
    onPoll = rejected;
    expect(await make()).toMatchObject({ failureCode: 'engine_maintenance', balance: STARS });
    await make();
    expect(await obstacleOfVideos()).toBeNull();
    await make();
    expect(await obstacleOfVideos()).toBe('engine_maintenance');
  });

  test('closes nothing when one account orders it again and again', async () => {
    onPoll = rejected;
    const { accountId } = await make();
    for (let order = 0; order < 5; order++) await make({ by: accountId });
    expect(await obstacleOfVideos()).toBeNull();
  });

  test('closes nothing while other orders are made', async () => {
    onPoll = rejected;
    await make();
    await make();
    onPoll = { say: 'completed' };
    await make();
    onPoll = rejected;
    await make();
    await make();
    expect(await obstacleOfVideos()).toBeNull();
  });
});

describe('the circuit breaker of a tool', () => {
  test('opens after failures of three accounts in a row, for this tool alone', async () => {
    onPoll = failing('engine_error');
    const { accountId } = await make();
    for (let order = 0; order < 4; order++) await make({ by: accountId });
    await make();
    expect(await obstacleOfVideos()).toBeNull();
    await make();
    expect(await obstacleOfVideos()).toBe('engine_failing');
    const others = (await describeOffer(app, null)).tools.filter(({ kind }) => kind !== 'video');
    expect(others.every(({ obstacle }) => obstacle === null)).toBe(true);
    await expectRefused('engine_failing');
  });

  test.each(['content_refused', 'photo_unsuitable'] as const)('stays closed for %s', async (code) => {
    onPoll = failing(code);
    for (let order = 0; order < 6; order++) await make();
    expect(await obstacleOfVideos()).toBeNull();
  });

  test('opens when the engine cannot be reached for ten minutes, and the stars are back by then', async () => {
    const begun = Date.now();
    let submits = 0;
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
    const away = {
      ...engine,
      async submit() {
        if (++submits % 2 === 0) vi.setSystemTime(begun + 11 * 60_000);
        throw new Error('connection refused');
      },
    };
    app = { ...app, engines: { all: [away], of: () => away, find: () => away } };
    for (let order = 0; order < 3; order++) {
      vi.setSystemTime(begun);
      expect(await make()).toMatchObject({ failureCode: 'engine_overloaded', balance: STARS });
    }
    expect(await obstacleOfVideos()).toBe('engine_failing');
    vi.useRealTimers();
  });

  test('opens when orders of three accounts in a row are given up, because an engine that hangs reports no failure', async () => {
    const giveUp = async () => {
      const { generationId } = await (await start()).begin();
      await app.db.generation.update({
        where: { id: generationId },
        data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1) },
      });
      await failOverdueGenerations(app);
    };
    await make();
    await giveUp();
    await giveUp();
    expect(await obstacleOfVideos()).toBeNull();
    await giveUp();
    expect(await obstacleOfVideos()).toBe('engine_failing');
  });

  test('stays closed when a success comes in between', async () => {
    onPoll = failing('engine_error');
    for (let order = 0; order < 2; order++) await make();
    onPoll = { say: 'completed' };
    await make();
    onPoll = failing('engine_error');
    await make();
    expect(await obstacleOfVideos()).toBeNull();
  });

  test('does not count failures of more than ten minutes ago', async () => {
    onPoll = failing('engine_error');
    await make();
    await make();
    await app.db.engineRun.updateMany({ data: { finishedAt: new Date(Date.now() - 11 * 60_000) } });
    await make();
    expect(await obstacleOfVideos()).toBeNull();
  });
});

describe("the house's own order", () => {
  const probe = () => probeEngine(app, { engine: engine.name, kind: 'video' }, new AbortController().signal);
  const listProbes = () => app.db.engineRun.findMany({ where: { generationId: null } });

  test('is sent when an order of one account has failed', async () => {
    const sent: object[] = [];
    app = { ...app, queue: { ...app.queue, send: async (_tx, name, payload) => void sent.push({ name, payload }) } };
    onPoll = failing('engine_error');
    await make();
    expect(sent).toEqual([
      { name: 'follow-generation', payload: { generationId: expect.any(String) } },
      { name: 'probe-engine', payload: { engine: engine.name, kind: 'video' } },
    ]);
  });

  test.each([
    ['engine_error', 'engine_failing'],
    ['engine_misconfigured', 'engine_maintenance'],
  ] as const)('closes the tool when it fails, too: %s', async (code, obstacle) => {
    onPoll = failing(code);
    await probe();
    expect(await obstacleOfVideos()).toBe(obstacle);
  });

  test('closes the tool when the engine refuses it, and nothing when its photo is refused', async () => {
    onPoll = failing('content_refused');
    await probe();
    expect(await obstacleOfVideos()).toBeNull();
    await app.db.engineRun.deleteMany();
    onSubmit = { say: 'refused', failure: { code: 'engine_misconfigured', detail: '422', shouldRetry: false } };
    await probe();
    expect(await obstacleOfVideos()).toBe('engine_maintenance');
  });

  test('closes nothing when it is made, stands in the books, and is made once an hour', async () => {
    await probe();
    await probe();
    expect(await obstacleOfVideos()).toBeNull();
    expect(await listProbes()).toMatchObject([{ status: 'succeeded', costMicros: UNRULY_PRICE.micros }]);
    expect((await readBooks(app)).engines).toMatchObject([{ engine: 'unruly', probes: UNRULY_PRICE.micros }]);
    await app.db.engineRun.updateMany({ data: { createdAt: new Date(Date.now() - 61 * 60_000) } });
    await Promise.all([probe(), probe()]);
    expect(await listProbes()).toHaveLength(2);
  });

  test('is followed on after a crash, and is not made beyond the budget of the day', async () => {
    onPoll = { say: 'crash' };
    const first = new AbortController();
    const following = probeEngine(app, { engine: engine.name, kind: 'video' }, first.signal);
    await until(async () => expect(await listProbes()).toMatchObject([{ status: 'submitted' }]));
    first.abort();
    await expect(following).rejects.toThrow();
    onPoll = { say: 'completed' };
    await probe();
    expect(await listProbes()).toMatchObject([{ status: 'succeeded' }]);
    await app.db.engineRun.deleteMany();
    app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros / 2;
    await probe();
    expect(await listProbes()).toEqual([]);
  });
});

describe('an order that is let through during an outage', () => {
  const openAnOutage = async () => {
    onPoll = failing('engine_error');
    for (let order = 0; order < 3; order++) await make();
    expect(await obstacleOfVideos()).toBe('engine_failing');
    await letPausesPass();
    onPoll = { say: 'completed' };
  };
  const cancel = async (generationId: string) => {
    const generation = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(await endGeneration(app, generation, 'cancelled')).toBe('failed');
  };

  test('and tells nothing leaves the next one to others, and its account waits for a pause', async () => {
    await openAnOutage();
    const attacker = await start();
    const { generationId } = await attacker.begin();
    await expectRefused('engine_failing');
    await cancel(generationId);
    await expect((await start({ by: attacker.accountId })).begin()).rejects.toMatchObject({ code: 'engine_failing' });
    expect((await make()).status).toBe('completed');
    // It works again, so nobody waits any more.
    expect(await obstacleOfVideos()).toBeNull();
    expect((await make({ by: attacker.accountId })).status).toBe('completed');
  });

  test('and is refused for its content leaves the next one to others', async () => {
    await openAnOutage();
    onPoll = failing('content_refused');
    expect((await make()).status).toBe('failed');
    onPoll = { say: 'completed' };
    expect((await make()).status).toBe('completed');
  });

  test('and is refused for its words, as by a firewall, leaves the next one to others, and its account waits', async () => {
    await openAnOutage();
    onSubmit = { say: 'refused', failure: { code: 'engine_misconfigured', detail: '403 blocked', shouldRetry: false } };
    const { accountId, failureCode } = await make();
    expect(failureCode).toBe('engine_maintenance');
    onSubmit = { say: 'submitted' };
    await expect((await start({ by: accountId })).begin()).rejects.toMatchObject({ code: 'engine_failing' });
    expect((await make()).status).toBe('completed');
    expect((await make({ by: accountId })).status).toBe('completed');
  });

  test('and fails leaves the next one to others, until three accounts have failed within a pause', async () => {
    await openAnOutage();
    onPoll = failing('engine_error');
    for (let order = 0; order < 3; order++) expect((await make()).failureCode).toBe('engine_error');
    await expectRefused('engine_failing');
    await letPausesPass();
    expect((await make()).failureCode).toBe('engine_error');
  });

  test('and lasts longer than the pause lets its account wait for another one after its end', async () => {
    await openAnOutage();
    const { accountId, begin } = await start();
    const { generationId } = await begin();
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await app.db.engineOutage.updateMany({ data: { openedAt: minutesAgo(20), retryAt: minutesAgo(8) } });
    await app.db.generation.update({ where: { id: generationId }, data: { createdAt: minutesAgo(10) } });
    await cancel(generationId);
    await expect((await start({ by: accountId })).begin()).rejects.toMatchObject({ code: 'engine_failing' });
    expect((await make()).status).toBe('completed');
  });

  test('lets nobody else through when an order before it is cancelled', async () => {
    await openAnOutage();
    const { generationId: earlier } = await (await start()).begin();
    await letPausesPass();
    const { generationId } = await (await start()).begin();
    await cancel(earlier);
    await expectRefused('engine_failing');
    await runGeneration(app, generationId, new AbortController().signal);
    expect(await obstacleOfVideos()).toBeNull();
  });

  test.each([
    ['photo_not_found', (accountId: number) => app.db.photo.deleteMany({ where: { accountId } })],
    [
      'not_enough_stars',
      (id: number) => app.db.account.update({ where: { id }, data: { starBalance: 0 }, select: { id: true } }),
    ],
  ] as const)('and is not started after all leaves the next one to others: %s', async (code, interfere) => {
    await openAnOutage();
    const { accountId, begin } = await start();
    const { db } = app;
    // The first transaction lets the order through, and the second inserts it.
    let transactions = 0;
    const interrupted: AppContext['db'] = Object.create(db, {
      $transaction: {
        value: async (work: () => Promise<unknown>) => {
          if (++transactions === 2) await interfere(accountId);
          return db.$transaction(work);
        },
      },
    });
    app = { ...app, db: interrupted };
    await expect(begin()).rejects.toMatchObject({ code });
    app = { ...app, db };
    expect((await make()).status).toBe('completed');
  });

  test('and fails makes the house try the tool with an order of its own', async () => {
    await openAnOutage();
    const sent: object[] = [];
    app = { ...app, queue: { ...app.queue, send: async (_tx, name, payload) => void sent.push({ name, payload }) } };
    onPoll = failing('engine_error');
    await make();
    expect(sent).toContainEqual({ name: 'probe-engine', payload: { engine: engine.name, kind: 'video' } });
  });
});

/** It is always noon where days count, so that none begins in the middle of a test. */
function setNoon(): number {
  const noon = new Date().setUTCHours(12, 0, 0, 0);
  databaseClock.now = new Date(noon);
  return noon;
}

describe('what one account may use up in a day', () => {
  let noon: number;
  beforeEach(() => {
    noon = setNoon();
  });
  afterEach(() => {
    databaseClock.now = null;
  });

  test.each([
    { isPaid: false, share: 0.05 },
    { isPaid: true, share: 0.25 },
  ])('is a share of the budget, and others go on: %j', async ({ isPaid, share }) => {
    app.config.engineDailyBudgetMicros = (2 * UNRULY_PRICE.micros) / share;
    const { accountId } = await make({ isPaid });
    expect((await make({ by: accountId })).status).toBe('completed');
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_share_reached', status: 429 });
    expect(await getBalance(app, accountId)).toBe(STARS - 2);
    expect((await make({ isPaid })).status).toBe('completed');
  });

  test('is counted where runs begin, too, so that orders of several tools at once stay within it', async () => {
    app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros / 0.25;
    const { accountId, begin } = await start();
    const [garment, person] = [await createStoredPhoto(app, accountId), await createStoredPhoto(app, accountId)];
    const started = await Promise.all([
      begin(),
      startGeneration(app, {
        account: { id: accountId },
        kind: 'try_on',
        choice: tryOnSettings.parse({}),
        key: null,
        photos: { subject: { imageId: garment.id }, person: { imageId: person.id } },
      }),
    ]);
    await Promise.all(
      started.map(({ generationId }) => runGeneration(app, generationId, new AbortController().signal)),
    );
    expect(await app.db.engineRun.count()).toBe(1);
    const { failureCode } = await app.db.generation.findFirstOrThrow({
      where: { id: { in: started.map(({ generationId }) => generationId) }, failureCode: { not: null } },
    });
    expect(failureCode).toBe('engine_share_reached');
  });

  test('are three failures that the provider charges for: then nothing is submitted, and others go on', async () => {
    onPoll = {
      say: 'failed',
      failure: { code: 'content_refused', detail: 'policy', shouldRetry: false, isCharged: true },
    };
    const { accountId } = await make();
    await make({ by: accountId });
    expect(await make({ by: accountId })).toMatchObject({ failureCode: 'content_refused', balance: STARS });
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_refusals_reached', status: 429 });
    expect(await getBalance(app, accountId)).toBe(STARS);
    expect(await app.db.engineRun.count()).toBe(3);
    onPoll = { say: 'completed' };
    expect((await make()).status).toBe('completed');
    await app.db.engineRun.updateMany({ data: { createdAt: new Date(noon - 24 * 3_600_000) } });
    expect((await make({ by: accountId })).status).toBe('completed');
  });

  test('keep nobody waiting who has had none: a session and a video are made at the same time', async () => {
    onPoll = { say: 'running' };
    const { accountId, begin } = await start();
    const { id: imageId } = await createStoredPhoto(app, accountId);
    const session = await startSession(accountId, imageId);
    const video = await begin();
    const stopping = new AbortController();
    const running = [session, video].map(({ generationId }) => runGeneration(app, generationId, stopping.signal));
    await until(async () => expect(await app.db.engineRun.count({ where: { status: 'submitted' } })).toBe(6));
    stopping.abort();
    await Promise.allSettled(running);
  });

  test('are three also where jobs are under way, which count as failures once one has failed', async () => {
    const failure = { code: 'content_refused', detail: 'policy', shouldRetry: false, isCharged: true } as const;
    onPoll = { say: 'failed', failure };
    const { accountId } = await make();
    const { id: imageId } = await createStoredPhoto(app, accountId);
    const { generationId } = await startSession(accountId, imageId);
    await runGeneration(app, generationId, new AbortController().signal);
    // Two of five frames.
    expect(await app.db.engineRun.count({ where: { generationId } })).toBe(2);
    expect(await app.db.engineRun.count({ where: { generation: { accountId } } })).toBe(3);
    expect(await getBalance(app, accountId)).toBe(STARS);
  });

  test('says when it goes on', async () => {
    app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros;
    const { begin } = await start();
    const refusal = await begin().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('после 3:00 по Москве') });
    const left = await secondsUntilNextDay(app.db);
    expect(refusal).toMatchObject({ extra: { retryAfter: expect.closeTo(left, -1) } });
  });
});

describe('the ceiling of a day', () => {
  let noon: number;
  beforeEach(() => {
    noon = setNoon();
  });
  afterEach(() => {
    databaseClock.now = null;
    vi.mocked(readDatabaseTime).mockReset();
    vi.useRealTimers();
  });

  test('refuses starts when it is reached, before anything is held', async () => {
    app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) await make();
    expect(await obstacleOfVideos()).toBe('engine_budget_reached');
    await expectRefused('engine_budget_reached');
  });

  test('holds for orders that are submitted at the same time, and gives the stars of the others back', async () => {
    app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    const orders = await Promise.all(Array.from({ length: 7 }, () => start()));
    const started = await Promise.all(orders.map(({ begin }) => begin()));
    await Promise.all(
      started.map(({ generationId }) => runGeneration(app, generationId, new AbortController().signal)),
    );
    const balances = await Promise.all(orders.map(({ accountId }) => getBalance(app, accountId)));
    expect(balances.filter((balance) => balance === STARS)).toHaveLength(3);
    expect(await app.db.engineRun.count()).toBe(4);
    const failed = await app.db.generation.findMany({
      where: { id: { in: started.map(({ generationId }) => generationId) }, status: 'failed' },
    });
    expect(new Set(failed.map(({ failureCode }) => failureCode))).toEqual(new Set(['engine_budget_reached']));
  });

  test('holds while the clock of the process is a day ahead of that of the database', async () => {
    app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) await make();
    vi.useFakeTimers({ toFake: ['Date'], now: noon + 24 * 3_600_000 });
    expect(await obstacleOfVideos()).toBe('engine_budget_reached');
  });

  test('is that of one day, also when midnight comes while it is looked at', async () => {
    app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    const { accountId } = await make();
    vi.mocked(readDatabaseTime)
      .mockResolvedValueOnce(new Date(noon))
      .mockResolvedValue(new Date(noon + 24 * 3_600_000));
    const work = { engine: engine.name, micros: UNRULY_PRICE.micros, account: { id: accountId, isUnpaid: false } };
    expect(await findCeiling(app.db, app.config, work)).toBe('engine_share_reached');
  });

  test('refuses an order that the rest of the budget does not pay for', async () => {
    app.config.engineDailyBudgetMicros = 4.5 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) expect((await make()).status).toBe('completed');
    expect(await obstacleOfVideos()).toBe('engine_budget_reached');
    await expectRefused('engine_budget_reached');
  });

  test('does not count what yesterday cost', async () => {
    app.config.engineDailyBudgetMicros = 4 * UNRULY_PRICE.micros;
    for (let order = 0; order < 4; order++) await make();
    await app.db.engineRun.updateMany({ data: { createdAt: new Date(noon - 24 * 3_600_000) } });
    expect((await make()).status).toBe('completed');
  });

  test('leaves half of the budget to accounts that have paid, however many others there are', async () => {
    app.config.engineDailyBudgetMicros = 40 * UNRULY_PRICE.micros;
    expect((await make({ isPaid: false })).status).toBe('completed');
    // As if twenty had ordered.
    await app.db.engineRun.updateMany({ data: { costMicros: 20 * UNRULY_PRICE.micros } });
    await expectRefused('engine_free_runs_reached', { isPaid: false });
    expect((await make({ isPaid: true })).status).toBe('completed');
  });

  test('for accounts that have never paid is a share for each, and orders that cost nothing do not count', async () => {
    app.config.engineFreeRuns = 3;
    onPoll = failing('content_refused');
    for (let order = 0; order < 3; order++) expect((await make({ isPaid: false })).status).toBe('failed');
    onPoll = { say: 'completed' };
    const { accountId } = await make({ isPaid: false });
    expect((await make({ by: accountId })).status).toBe('completed');
    const { begin } = await start({ by: accountId });
    await expect(begin()).rejects.toMatchObject({ code: 'engine_share_reached' });
    expect((await make({ isPaid: false })).status).toBe('completed');
    await expectRefused('engine_free_runs_reached', { isPaid: false });
  });

  test('for accounts that have never paid counts no failures of a GPU of your own, but what was cancelled there', async () => {
    const own: GenerationEngine = { ...engine, priceOf: () => null };
    app = { ...app, engines: { all: [own], of: () => own, find: () => own } };
    app.config.engineFreeRuns = 2;
    onPoll = failing('engine_error');
    const { accountId } = await make({ isPaid: false });
    await make({ isPaid: false, by: accountId });
    onPoll = { say: 'completed' };
    expect((await make({ isPaid: false, by: accountId })).status).toBe('completed');
    await app.db.engineRun.updateMany({ where: { status: 'failed' }, data: { status: 'cancelled' } });
    await expectRefused('engine_free_runs_reached', { isPaid: false });
  });

  test('for accounts that have never paid leaves those alone that have', async () => {
    app.config.engineFreeRuns = 1;
    expect((await make({ isPaid: false })).status).toBe('completed');
    await expectRefused('engine_free_runs_reached', { isPaid: false });
    expect((await make({ isPaid: true })).status).toBe('completed');
    expect(await obstacleOfVideos()).toBeNull();
  });
});

test('a length or a ratio that the engine does not make is refused before anything is held', async () => {
  const video = { mover: 'person', seconds: [5], aspectRatios: ['3:4'] } as const;
  const lesser = { ...engine, abilities: { ...engine.abilities, video } };
  app = { ...app, engines: { all: [lesser], of: () => lesser, find: () => lesser } };
  await expectRefused('video_length_unavailable', { settings: { duration: 10 } });
  await expectRefused('aspect_ratio_unavailable', { settings: { aspectRatio: '1:1' } });
});

describe('an order that waits while its chat is linked with an account', () => {
  const WITHOUT_CONSENT = { transferConsentVersion: null, transferConsentAt: null };

  /** Ends the order after the link. */
  async function runLinked(order: Awaited<ReturnType<typeof start>>, intoId: number) {
    const { generationId } = await order.begin();
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: order.accountId, intoId }));
    await runGeneration(app, generationId, new AbortController().signal);
    return app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  }

  test('that was never asked for the consent to the transfer is handed in', async () => {
    const { id } = await createAccount(app);
    await app.db.account.update({ where: { id }, data: WITHOUT_CONSENT });
    expect(await runLinked(await start(), id)).toMatchObject({ accountId: id, status: 'completed' });
  });

  test('that withdrew the consent before it was given in the chat is handed in', async () => {
    const { id } = await createAccount(app);
    const transferWithdrawnAt = new Date(Date.now() - 60_000);
    await app.db.account.update({ where: { id }, data: { ...WITHOUT_CONSENT, transferWithdrawnAt } });
    expect(await runLinked(await start(), id)).toMatchObject({ accountId: id, status: 'completed' });
  });

  test('that has withdrawn the consent since is not handed in', async () => {
    const order = await start();
    const { id } = await createAccount(app);
    await app.db.account.update({
      where: { id: order.accountId },
      data: { transferConsentAt: new Date(Date.now() - 60_000) },
    });
    await withdrawTransferConsent(app, id);
    expect(await runLinked(order, id)).toMatchObject({ status: 'failed', failureCode: 'consent_withdrawn' });
  });
});

test('an order that waits is not handed in once its owner has withdrawn the consent to the transfer', async () => {
  const { accountId, begin } = await start();
  const { generationId } = await begin();
  await withdrawTransferConsent(app, accountId);
  await runGeneration(app, generationId, new AbortController().signal);
  const ended = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  expect(ended).toMatchObject({ status: 'failed', failureCode: 'consent_withdrawn' });
  expect(await app.db.engineRun.count({ where: { generationId } })).toBe(0);
  expect(await getBalance(app, accountId)).toBe(STARS);
});

test('an engine without capacity is asked again until it has some, and no attempt is used up', async () => {
  const { begin } = await start();
  const { generationId } = await begin();
  let submits = 0;
  const failure: EngineFailure = { code: 'engine_overloaded', detail: '503', shouldRetry: true };
  const full = {
    ...engine,
    submit: async (order: GenerationOrder) => {
      submits++;
      return submits <= 3 ? ({ state: 'refused', failure } as const) : engine.submit(order);
    },
  };
  const engines = { all: [full], of: () => full, find: () => full };
  await runGeneration({ ...app, engines }, generationId, new AbortController().signal);
  expect(submits).toBe(4);
  expect((await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).status).toBe('completed');
  expect(await app.db.engineRun.count()).toBe(1);
});
