import { expect, test } from 'vitest';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { createAccount } from '#tests/support/factories.ts';
import { useVideoStudio } from '#tests/support/video-studio.ts';

const studio = useVideoStudio();

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
  const { app } = studio.testApp;
  const { id: accountId } = await createAccount(app);
  for (const { kind = 'video', engine = 'fake', duration, took } of runs) {
    const createdAt = new Date();
    await app.db.generation.create({
      data: {
        ...{ accountId, kind, engine, status: 'completed', stars: 1, requestHash: new Uint8Array(32) },
        ...{ settings: duration ? { duration } : {}, createdAt },
        finishedAt: new Date(createdAt.getTime() + took * 1000),
      },
    });
  }
}

interface Work {
  kind: GenerationKind;
  engine: string;
  /** Length of a video. Null for pictures. */
  videoSeconds: number | null;
}

/** What the next start of this work expects, in seconds. */
async function findEstimate({ videoSeconds, ...work }: Work): Promise<number | null> {
  const duration = videoSeconds === null ? '' : String(videoSeconds);
  const known = await studio.testApp.app.db.workEstimate.findUnique({
    where: { kind_engine_duration: { ...work, duration } },
  });
  return known?.expectedSeconds ?? null;
}

test('an estimate is the median of the same tool, engine and duration', async () => {
  await addPast([
    ...[10, 20, 90].map((took) => ({ duration: 5, took })),
    ...[40, 50].map((took) => ({ duration: 10, took })),
    { engine: 'other', duration: 5, took: 500 },
    { kind: 'photosession', took: 70 },
  ]);
  const estimate = (videoSeconds: number | null, { kind = 'video', engine = 'fake' } = {}) =>
    findEstimate({ kind: kind as 'video', engine, videoSeconds });
  expect(await estimate(5)).toBe(20);
  expect(await estimate(10)).toBe(45);
  expect(await estimate(5, { engine: 'other' })).toBe(500);
  expect(await estimate(10, { engine: 'other' })).toBeNull();
  expect(await estimate(null, { kind: 'photosession' })).toBe(70);
  expect(await estimate(null, { kind: 'model_change' })).toBeNull();
});

test('an estimate counts the last 20 that were completed, late ones too, but neither failures nor re-rolls', async () => {
  const { db } = studio.testApp.app;
  const estimate = () => findEstimate({ kind: 'video', engine: 'counted', videoSeconds: 5 });
  await addPast(Array.from({ length: 15 }, () => ({ engine: 'counted', duration: 5, took: 600 })));
  await addPast(Array.from({ length: 20 }, () => ({ engine: 'counted', duration: 5, took: 30 })));
  expect(await estimate()).toBe(30);
  const all = await db.generation.findMany({ where: { engine: 'counted' }, take: 11 });
  for (const { id, accountId, createdAt, settings } of all) {
    const own = { accountId, createdAt, settings: settings ?? {}, engine: 'counted', kind: 'video', stars: 0 } as const;
    const slow = { ...own, requestHash: new Uint8Array(32), finishedAt: new Date(createdAt.getTime() + 900_000) };
    await db.generation.create({ data: { ...slow, status: 'failed', failureCode: 'timed_out' } });
    await db.generation.create({ data: { ...slow, status: 'completed', rerollOfId: id } });
  }
  expect(await estimate()).toBe(30);
  // Their results came after the watchdog had given them up.
  await db.generation.updateMany({ where: { engine: 'counted', status: 'failed' }, data: { status: 'completed' } });
  expect(await estimate()).toBe(900);
});

test('what was expected at the start stays, however fast others are meanwhile', async () => {
  const person = await studio.readyPerson();
  await addPast(Array.from({ length: 20 }, () => ({ duration: 10, took: 300 })));
  const { generationId } = (await studio.start(person, person.imageId, { duration: 10 })).json();
  const told = async () => {
    const { activeGenerations } = (await studio.call(person, { url: '/api/active-generations' })).json();
    const { progress } = await studio.stateOf(person, generationId);
    return [progress.expectedSeconds, activeGenerations[0].progress.expectedSeconds];
  };
  expect(await told()).toEqual([300, 300]);
  await addPast(Array.from({ length: 20 }, () => ({ duration: 10, took: 5 })));
  expect(await told()).toEqual([300, 300]);
});
