import { expect, test } from 'vitest';
import { selectExpectedSeconds } from '#api/services/generations/starting/expected-seconds.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { createAccount } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();

interface Past {
  kind?: 'video' | 'photosession';
  engine?: string;
  /** The length of a video in seconds. */
  duration?: number;
  /** Seconds from the request to the result. */
  took: number;
}

/** Adds finished generations of a new account, the last one as the newest. */
async function addPast(runs: Past[]): Promise<void> {
  const { app } = harness.testApp;
  const { id: accountId } = await createAccount(app);
  for (const { kind = 'video', engine = 'fake', duration, took } of runs) {
    const finishedAt = new Date();
    await app.db.generation.create({
      data: {
        accountId,
        kind,
        engine,
        status: 'completed',
        stars: 1,
        requestHash: new Uint8Array(32),
        settings: duration ? { duration } : {},
        finishedAt,
        createdAt: new Date(finishedAt.getTime() - took * 1000),
      },
    });
  }
}

async function findEstimate(kind: GenerationKind, engine: string, settings: { duration?: number } = {}) {
  const estimate = selectExpectedSeconds({ kind, engine, settings });
  const [row] = await harness.testApp.app.db.$queryRaw<{ seconds: number | null }[]>`select ${estimate} as seconds`;
  return row?.seconds;
}

test('an estimate is the median of the same tool, engine and duration', async () => {
  await addPast([
    ...[10, 20, 90].map((took) => ({ duration: 5, took })),
    ...[40, 50].map((took) => ({ duration: 10, took })),
    { engine: 'other', duration: 5, took: 500 },
    { kind: 'photosession', took: 70 },
  ]);
  expect(await findEstimate('video', 'fake', { duration: 5 })).toBe(20);
  expect(await findEstimate('video', 'fake', { duration: 10 })).toBe(45);
  expect(await findEstimate('video', 'other', { duration: 5 })).toBe(500);
  expect(await findEstimate('video', 'other', { duration: 10 })).toBeNull();
  expect(await findEstimate('photosession', 'fake')).toBe(70);
  expect(await findEstimate('model_change', 'fake')).toBeNull();
});

test('an estimate counts the last 20 that were completed, late ones too, but neither failures nor re-rolls', async () => {
  const { db } = harness.testApp.app;
  const estimate = () => findEstimate('video', 'counted', { duration: 5 });
  await addPast(Array.from({ length: 15 }, () => ({ engine: 'counted', duration: 5, took: 600 })));
  await addPast(Array.from({ length: 20 }, () => ({ engine: 'counted', duration: 5, took: 30 })));
  expect(await estimate()).toBe(30);
  const all = await db.generation.findMany({ where: { engine: 'counted' }, take: 11 });
  for (const { id, accountId, settings } of all) {
    const finishedAt = new Date();
    const own = {
      accountId,
      finishedAt,
      settings: settings ?? {},
      engine: 'counted',
      kind: 'video',
      stars: 0,
    } as const;
    const slow = { ...own, requestHash: new Uint8Array(32), createdAt: new Date(finishedAt.getTime() - 900_000) };
    await db.generation.create({ data: { ...slow, status: 'failed', failureCode: 'timed_out' } });
    await db.generation.create({ data: { ...slow, status: 'completed', rerollOfId: id } });
  }
  expect(await estimate()).toBe(30);
  // Their results came after the watchdog had given them up.
  await db.generation.updateMany({ where: { engine: 'counted', status: 'failed' }, data: { status: 'completed' } });
  expect(await estimate()).toBe(900);
});

test('what was expected at the start stays, however fast others are meanwhile', async () => {
  const user = await harness.readyUser();
  await addPast(Array.from({ length: 20 }, () => ({ duration: 10, took: 300 })));
  const { generationId } = (await harness.start(user, user.imageId, { duration: 10 })).json();
  const told = async () => {
    const { activeGenerations } = (await harness.call(user, { url: '/api/active-generations' })).json();
    const { progress } = await harness.stateOf(user, generationId);
    return [progress.expectedSeconds, activeGenerations[0].progress.expectedSeconds];
  };
  expect(await told()).toEqual([300, 300]);
  await addPast(Array.from({ length: 20 }, () => ({ duration: 10, took: 5 })));
  expect(await told()).toEqual([300, 300]);
});
