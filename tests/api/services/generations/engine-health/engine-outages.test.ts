import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppContext } from '#api/services/app-context.ts';
import { describeOffer } from '#api/services/generations/engine-health/engine-outages.ts';
import { endGeneration, failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { createAccount, createStoredPhoto } from '#tests/support/factories.ts';
import { failing, STARS, useUnrulyVideos } from '#tests/support/unruly-videos.ts';
import { until } from '#tests/support/until.ts';

const videos = useUnrulyVideos();
const { start, startVideo, make, follow, find, expectRefused, obstacle, letPausesPass } = videos;

describe('an empty balance at the provider', () => {
  beforeEach(() => {
    videos.onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  });

  test('gives the stars back and closes every tool of the engine', async () => {
    expect(await make()).toMatchObject({ status: 'failed', failureCode: 'engine_maintenance', balance: STARS });
    expect((await describeOffer(videos.app, null)).tools.map(({ obstacle }) => obstacle?.code)).toEqual(
      Array.from({ length: 4 }, () => 'engine_maintenance'),
    );
    await expectRefused('engine_maintenance');
    expect(await videos.app.db.engineRun.aggregate({ _sum: { costMicros: true } })).toEqual({
      _sum: { costMicros: 0 },
    });
  });

  test('is tried again by one order after a pause, and is over when that order succeeds', async () => {
    await make();
    await letPausesPass();
    expect(await obstacle()).toBeNull();
    expect((await make()).failureCode).toBe('engine_maintenance');
    await letPausesPass();
    videos.onSubmit = { say: 'submitted' };
    const [first, second] = [await start(), await start()];
    const { generationId } = await first.begin();
    await expect(second.begin()).rejects.toMatchObject({ code: 'engine_maintenance' });
    await follow(generationId);
    await second.begin();
    expect(await obstacle()).toBeNull();
    expect(await videos.app.db.engineOutage.count({ where: { closedAt: null } })).toBe(0);
  });
});

test('the trial during an outage is not used up by an account with too few stars, or with an active video', async () => {
  const busy = await start();
  await busy.begin();
  videos.onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  await make();
  await letPausesPass();
  const { id: accountId } = await createAccount(videos.app, { stars: 0, isPaid: true });
  const { id: photoId } = await createStoredPhoto(videos.app, accountId);
  const poor = startVideo(accountId, photoId);
  await expect(poor).rejects.toMatchObject({ code: 'not_enough_stars' });
  await expect(busy.begin()).rejects.toMatchObject({ code: 'active_generation' });
  videos.onSubmit = { say: 'submitted' };
  expect((await make()).status).toBe('completed');
});

test('an outage does not end with a job that was submitted before it', async () => {
  const { begin } = await start();
  const { generationId } = await begin();
  videos.onPoll = { say: 'running' };
  const following = follow(generationId);
  await until(async () => expect(await videos.app.db.engineRun.count({ where: { status: 'submitted' } })).toBe(1));
  videos.onSubmit = { say: 'refused', failure: { code: 'engine_unfunded', detail: 'locked', shouldRetry: false } };
  await make();
  videos.onPoll = { say: 'completed' };
  await following;
  expect((await find(generationId)).status).toBe('completed');
  expect(await obstacle()).toBe('engine_maintenance');
});

describe('an input that the engine rejects', () => {
  const rejected = failing('engine_misconfigured');

  test.each([
    ['when it makes it', () => (videos.onPoll = rejected)],
    ['at the door, as a firewall does', () => (videos.onSubmit = { ...rejected, say: 'refused' })],
  ])('closes the tool when it happens to three accounts in a row, %s', async (_, reject) => {
    reject();
    expect(await make()).toMatchObject({ failureCode: 'engine_maintenance', balance: STARS });
    await make();
    expect(await obstacle()).toBeNull();
    await make();
    expect(await obstacle()).toBe('engine_maintenance');
  });

  test('closes nothing when one account orders it again and again', async () => {
    videos.onPoll = rejected;
    const { accountId } = await make();
    for (let order = 0; order < 5; order++) await make({ by: accountId });
    expect(await obstacle()).toBeNull();
  });

  test('closes nothing while other orders are made', async () => {
    videos.onPoll = rejected;
    await make();
    await make();
    videos.onPoll = { say: 'completed' };
    await make();
    videos.onPoll = rejected;
    await make();
    await make();
    expect(await obstacle()).toBeNull();
  });
});

describe('the circuit breaker of a tool', () => {
  test('opens after failures of three accounts in a row, for this tool alone', async () => {
    videos.onPoll = failing('engine_error');
    const { accountId } = await make();
    for (let order = 0; order < 4; order++) await make({ by: accountId });
    await make();
    expect(await obstacle()).toBeNull();
    await make();
    expect(await obstacle()).toBe('engine_failing');
    const others = (await describeOffer(videos.app, null)).tools.filter(({ kind }) => kind !== 'video');
    expect(others.every(({ obstacle }) => obstacle === null)).toBe(true);
    await expectRefused('engine_failing');
  });

  test.each(['content_refused', 'photo_unsuitable'] as const)('stays closed for %s', async (code) => {
    videos.onPoll = failing(code);
    for (let order = 0; order < 6; order++) await make();
    expect(await obstacle()).toBeNull();
  });

  test('opens when the engine cannot be reached for ten minutes, and the stars are back by then', async () => {
    const begun = Date.now();
    let submits = 0;
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
    const away = {
      ...videos.engine,
      async submit() {
        if (++submits % 2 === 0) vi.setSystemTime(begun + 11 * 60_000);
        throw new Error('connection refused');
      },
    };
    videos.useEngine(away);
    for (let order = 0; order < 3; order++) {
      vi.setSystemTime(begun);
      expect(await make()).toMatchObject({ failureCode: 'engine_overloaded', balance: STARS });
    }
    expect(await obstacle()).toBe('engine_failing');
    vi.useRealTimers();
  });

  test('opens when orders of three accounts in a row are given up, because an engine that hangs reports no failure', async () => {
    const giveUp = async () => {
      const { generationId } = await (await start()).begin();
      await videos.app.db.generation.update({
        where: { id: generationId },
        data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1) },
      });
      await failOverdueGenerations(videos.app);
    };
    await make();
    await giveUp();
    await giveUp();
    expect(await obstacle()).toBeNull();
    await giveUp();
    expect(await obstacle()).toBe('engine_failing');
  });

  test('stays closed when a success comes in between', async () => {
    videos.onPoll = failing('engine_error');
    for (let order = 0; order < 2; order++) await make();
    videos.onPoll = { say: 'completed' };
    await make();
    videos.onPoll = failing('engine_error');
    await make();
    expect(await obstacle()).toBeNull();
  });

  test('does not count failures of more than ten minutes ago', async () => {
    videos.onPoll = failing('engine_error');
    await make();
    await make();
    await videos.app.db.engineRun.updateMany({ data: { finishedAt: new Date(Date.now() - 11 * 60_000) } });
    await make();
    expect(await obstacle()).toBeNull();
  });
});

describe('an order that is let through during an outage', () => {
  const openAnOutage = async () => {
    videos.onPoll = failing('engine_error');
    for (let order = 0; order < 3; order++) await make();
    expect(await obstacle()).toBe('engine_failing');
    await letPausesPass();
    videos.onPoll = { say: 'completed' };
  };
  const cancel = async (generationId: string) => {
    const generation = await find(generationId);
    expect(await endGeneration(videos.app, generation, 'cancelled')).toBe('failed');
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
    expect(await obstacle()).toBeNull();
    expect((await make({ by: attacker.accountId })).status).toBe('completed');
  });

  test('and is refused for its content leaves the next one to others', async () => {
    await openAnOutage();
    videos.onPoll = failing('content_refused');
    expect((await make()).status).toBe('failed');
    videos.onPoll = { say: 'completed' };
    expect((await make()).status).toBe('completed');
  });

  test('and is refused for its words, as by a firewall, leaves the next one to others, and its account waits', async () => {
    await openAnOutage();
    videos.onSubmit = {
      say: 'refused',
      failure: { code: 'engine_misconfigured', detail: '403 blocked', shouldRetry: false },
    };
    const { accountId, failureCode } = await make();
    expect(failureCode).toBe('engine_maintenance');
    videos.onSubmit = { say: 'submitted' };
    await expect((await start({ by: accountId })).begin()).rejects.toMatchObject({ code: 'engine_failing' });
    expect((await make()).status).toBe('completed');
    expect((await make({ by: accountId })).status).toBe('completed');
  });

  test('and fails leaves the next one to others, until three accounts have failed within a pause', async () => {
    await openAnOutage();
    videos.onPoll = failing('engine_error');
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
    await videos.app.db.engineOutage.updateMany({ data: { openedAt: minutesAgo(20), retryAt: minutesAgo(8) } });
    await videos.app.db.generation.update({ where: { id: generationId }, data: { createdAt: minutesAgo(10) } });
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
    await follow(generationId);
    expect(await obstacle()).toBeNull();
  });

  test.each([
    ['photo_not_found', (accountId: number) => videos.app.db.photo.deleteMany({ where: { accountId } })],
    [
      'not_enough_stars',
      (id: number) => videos.app.db.account.update({ where: { id }, data: { starBalance: 0 }, select: { id: true } }),
    ],
  ] as const)('and is not started after all leaves the next one to others: %s', async (code, interfere) => {
    await openAnOutage();
    const { accountId, begin } = await start();
    const { db } = videos.app;
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
    videos.app = { ...videos.app, db: interrupted };
    await expect(begin()).rejects.toMatchObject({ code });
    videos.app = { ...videos.app, db };
    expect((await make()).status).toBe('completed');
  });

  test('and fails makes the house try the tool with an order of its own', async () => {
    await openAnOutage();
    const sent = videos.catchJobs();
    videos.onPoll = failing('engine_error');
    await make();
    expect(sent).toContainEqual({ name: 'probe-engine', payload: { engine: videos.engine.name, kind: 'video' } });
  });
});
