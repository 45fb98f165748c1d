import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { ENGINE_FAILURE_CODES, type EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { startModelChange } from '#api/services/generations/model-changes.ts';
import { startPhotosession } from '#api/services/generations/photosessions.ts';
import { runGeneration } from '#api/services/generations/run-generation.ts';
import { startReroll } from '#api/services/generations/start-reroll.ts';
import { startTryOn } from '#api/services/generations/try-on.ts';
import { startVideo } from '#api/services/generations/videos.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createAccount, createPhoto } from './factories.ts';
import type { TestApp } from './test-app.ts';
import {
  createUnrulyEngine,
  type PollEvent,
  type SubmitEvent,
  UNRULY_PRICE,
  type UnrulyEngine,
} from './unruly-engine.ts';

interface Chaos {
  orders: number;
  seed: number;
  canFindJobs: boolean;
}

/** What a play came to. `paid`: jobs that the engine has started. */
interface ChaosFigures {
  paid: number;
  lostAnswers: number;
  deaths: number;
  ends: Record<string, number>;
  runs: Record<string, number>;
}

const STARS = 10;
const FOLLOWERS = 6;
/** How likely the garment of a result has drifted. */
const DRIFT_RATE = 0.15;
/** How likely a process dies before a statement. */
const DEATH_RATE = 0.02;

/**
 * Runs orders of every tool through an engine that fails in every way, with processes that die at every call, and
 * checks the promises of the lifecycle: each order is completed or refunded, re-rolls are free and there is one at most, the ledger adds up, and no output is paid
 * for twice without a row that says why.
 */
export async function playChaos(testApp: TestApp, { orders, seed, canFindJobs }: Chaos): Promise<ChaosFigures> {
  const random = createRandom(seed);
  /** Generations whose process is dead, and how often that happened. */
  const dead = new Set<string>();
  const deaths = new Map<string, number>();
  const kill = (generationId: string) => {
    dead.add(generationId);
    deaths.set(generationId, (deaths.get(generationId) ?? 0) + 1);
    return new Error('the process died');
  };
  const engine = createUnrulyEngine({
    files: await makeFiles(testApp),
    canFindJobs,
    nextSubmit: () => chooseSubmit(random),
    nextPoll: () => choosePoll(random),
    crash: kill,
  });
  const app: AppContext = {
    ...testApp.app,
    engines: { all: [engine], of: () => engine, find: () => engine },
  };
  const followAll = async (waiting: string[]) => {
    await Promise.all(
      Array.from({ length: FOLLOWERS }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const id = next;
          await followThroughDeaths(app, id, {
            revive: () => void dead.delete(id),
            isDead: () => dead.has(id),
            mayDie() {
              if (!dead.has(id) && random() < DEATH_RATE) kill(id);
              return dead.has(id);
            },
          });
        }
      }),
    );
  };
  const ids = await startOrders(app, orders, random);
  await followAll([...ids]);
  const rerolls = await rerollDrifted(app, ids, random);
  await followAll([...rerolls]);
  ids.push(...rerolls);
  await checkPromises(app, engine, ids, deaths);
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  return {
    paid: sum(engine.paid),
    lostAnswers: sum(engine.lostAnswers),
    deaths: sum(deaths),
    ...(await count(app, ids)),
  };
}

/** How orders ended, and how many runs had each reason. */
async function count({ db }: AppContext, ids: string[]): Promise<Pick<ChaosFigures, 'ends' | 'runs'>> {
  const orders = await db.generation.groupBy({ by: ['status'], where: { id: { in: ids } }, _count: true });
  const runs = await db.engineRun.groupBy({ by: ['reason'], where: { generationId: { in: ids } }, _count: true });
  return {
    ends: Object.fromEntries(orders.map(({ status, _count }) => [status, _count])),
    runs: Object.fromEntries(runs.map(({ reason, _count }) => [reason, _count])),
  };
}

/** Follows a generation like the queue does: whenever the process has died, another one continues. */
async function followThroughDeaths(
  app: AppContext,
  id: string,
  process: { revive(): void; isDead(): boolean; mayDie(): boolean },
): Promise<void> {
  for (;;) {
    process.revive();
    const stop = new AbortController();
    try {
      await runGeneration({ ...app, db: dieWith(app.db, process.mayDie, stop) }, id, stop.signal);
      if (!process.isDead()) return;
    } catch (error) {
      if (!process.isDead()) throw error;
    }
  }
}

/** The database of a process that may die before any statement. After that none gets through. */
function dieWith(db: AppContext['db'], isDead: () => boolean, stop: AbortController): AppContext['db'] {
  return new Proxy(db, {
    get(target, name) {
      if (isDead()) {
        stop.abort(new Error('the process died'));
        throw new Error('the process died');
      }
      const part: unknown = Reflect.get(target, name);
      // Bound, so that the client's own inner calls are not counted as statements.
      return typeof part === 'function' ? part.bind(target) : part;
    },
  });
}

async function startOrders(app: AppContext, orders: number, random: () => number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < orders; index++) {
    const kind = GENERATION_KINDS[index % GENERATION_KINDS.length] ?? 'video';
    const { id: accountId } = await createAccount(app, { stars: STARS, isPaid: random() < 0.5 });
    const { id: imageId } = await createPhoto(app, accountId);
    ids.push((await STARTS[kind](app, accountId, imageId)).generationId);
  }
  return ids;
}

const STARTS: Record<
  GenerationKind,
  (app: AppContext, accountId: number, imageId: string) => Promise<{ generationId: string }>
> = {
  video: (app, accountId, photoId) =>
    startVideo(app, { accountId, photoId, settings: videoSettings.parse({}), idempotencyKey: null }),
  model_change: (app, accountId, imageId) =>
    startModelChange(app, {
      ...{ accountId, photo: { imageId }, idempotencyKey: null },
      ...{ modelImageUrl: app.catalogue.models[0]?.imageUrl ?? null, backgroundImageUrl: '' },
    }),
  photosession: (app, accountId, imageId) =>
    startPhotosession(app, { accountId, photo: { imageId }, idempotencyKey: null }),
  try_on: async (app, accountId, garmentId) =>
    startTryOn(app, {
      ...{ accountId, garmentId, personId: (await createPhoto(app, accountId)).id },
      ...{ settings: tryOnSettings.parse({}), idempotencyKey: null },
    }),
};

/** Some results have drifted, and their owners press the button twice at once. Returns the ids of the re-rolls. */
async function rerollDrifted(app: AppContext, ids: string[], random: () => number): Promise<string[]> {
  const rerolls: string[] = [];
  for (const generationId of ids) {
    const results = await app.db.result.findMany({ where: { generationId }, orderBy: { position: 'asc' } });
    const drifted = results.filter(() => random() < DRIFT_RATE);
    const [first] = drifted;
    if (!first) continue;
    await app.db.garmentCheck.createMany({
      data: drifted.map(({ id: resultId }) => ({ resultId, verdict: 'drifted' as const })),
    });
    const press = () => startReroll(app, first.accountId, generationId);
    const [once, again] = await Promise.all([press(), press()]);
    expect(again, generationId).toEqual(once);
    rerolls.push(once.generationId);
  }
  return rerolls;
}

async function checkPromises(
  app: AppContext,
  engine: UnrulyEngine,
  ids: string[],
  deaths: ReadonlyMap<string, number>,
): Promise<void> {
  let booked = 0;
  let uncertain = 0;
  for (const id of ids) {
    const generation = await app.db.generation.findUniqueOrThrow({
      where: { id },
      include: { results: true, starEntries: true, engineRuns: true, account: true },
    });
    const { status, results, starEntries, engineRuns, account } = generation;
    expect(['completed', 'failed'], id).toContain(status);
    expect(results.length > 0, id).toBe(status === 'completed');
    const isReroll = generation.rerollOfId !== null;
    if (isReroll) {
      expect(starEntries, id).toEqual([]);
      for (const { position } of results) expect(generation.positions, id).toContain(position);
    } else {
      const ends = starEntries.filter(({ kind }) => kind === 'capture' || kind === 'release');
      expect(ends, id).toHaveLength(1);
      const spent = -starEntries.reduce((sum, { delta }) => sum + delta, 0);
      expect(account.starBalance, id).toBe(STARS - spent);
      expect(spent > 0, id).toBe(status === 'completed');
    }
    expect(engineRuns.filter(isLive), id).toEqual([]);
    for (const position of new Set(engineRuns.map((run) => run.position))) {
      const runs = engineRuns.filter((run) => run.position === position);
      expect(runs.filter(({ reason }) => reason === (isReroll ? 'reroll' : 'first')).length, id).toBe(1);
      // Every paid submit has its row, and every row but the first says why it was needed.
      expect(engine.paid.get(`${id}/${position}`) ?? 0, id).toBeLessThanOrEqual(runs.length);
      // A death interrupts one submit of each output at most.
      const again = runs.filter(({ reason }) => reason === 'submit_interrupted').length;
      const interruptions = (engine.lostAnswers.get(`${id}/${position}`) ?? 0) + (deaths.get(id) ?? 0);
      expect(again, id).toBeLessThanOrEqual(interruptions);
    }
    booked += engineRuns.reduce((sum, run) => sum + run.costMicros, 0);
    uncertain += engineRuns.filter((run) => run.status === 'uncertain').length * UNRULY_PRICE.micros;
  }
  // The books never hold less than the provider charges, and more only where nobody knows whether a job was started.
  expect(booked).toBeGreaterThanOrEqual(engine.chargedMicros());
  expect(booked - uncertain).toBeLessThanOrEqual(engine.chargedMicros());
}

function isLive({ status }: { status: string }): boolean {
  return status === 'submitting' || status === 'submitted';
}

/** Mostly well, so that orders get far enough for the rarer events to matter. */
function chooseSubmit(random: () => number): SubmitEvent {
  const dice = random();
  if (dice < 0.7) return { say: 'submitted' };
  if (dice < 0.76) return { say: 'busy' };
  if (dice < 0.82) return { say: 'unreachable' };
  if (dice < 0.9) return { say: 'refused', failure: { ...chooseFailure(random), isCharged: false } };
  return { say: dice < 0.95 ? 'uncertain' : 'crash', isTaken: random() < 0.5 };
}

function choosePoll(random: () => number): PollEvent {
  const dice = random();
  if (dice < 0.4) return { say: 'completed' };
  if (dice < 0.7) return { say: dice < 0.5 ? 'queued' : 'running' };
  if (dice < 0.78) return { say: 'unreachable' };
  if (dice < 0.84) return { say: 'forgotten' };
  if (dice < 0.88) return { say: 'crash' };
  return { say: 'failed', failure: chooseFailure(random) };
}

function chooseFailure(random: () => number): EngineFailure {
  const code = ENGINE_FAILURE_CODES[Math.floor(random() * ENGINE_FAILURE_CODES.length)] ?? 'engine_error';
  return { code, detail: 'chaos', shouldRetry: random() < 0.6, isCharged: random() < 0.3 };
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function makeFiles({ app, database }: TestApp): Promise<{ video: string; picture: string }> {
  const video = path.join(database.dataDir, 'chaos.mp4');
  const picture = path.join(database.dataDir, 'chaos.jpg');
  await writeFile(video, (await drawTestVideo(app.videoEncoder)).content);
  await writeFile(picture, await drawJpeg(90, 120));
  return { video, picture };
}
