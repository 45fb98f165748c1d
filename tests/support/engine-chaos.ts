import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { ENGINE_FAILURE_CODES, type EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import { failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { startReroll } from '#api/services/generations/starting/start-reroll.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import {
  ACTIVE_STATUSES,
  GENERATION_KINDS,
  GENERATION_TIMEOUT_MS,
  type GenerationKind,
} from '#shared/rules/generation-lifecycle.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createAccount, createStoredPhoto } from './factories.ts';
import { createMortalProcesses, type MortalProcesses } from './mortal-processes.ts';
import type { TestApp } from './test-app.ts';
import {
  type CancelEvent,
  createUnrulyEngine,
  type PollEvent,
  type SubmitEvent,
  UNRULY_PRICE,
  type UnrulyEngine,
  UnrulyUnreachableError,
  withEngine,
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
  cancelled: number;
  overdue: number;
  ends: Record<string, number>;
  runs: Record<string, number>;
}

const STARS = 10;
const FOLLOWERS = 6;
/** How likely the garment of a result has drifted. */
const DRIFT_RATE = 0.15;
/** How likely a process dies before a statement. */
const DEATH_RATE = 0.02;
/** How likely an owner cancels, the watchdog gives up, and two workers follow the same generation. */
const CANCEL_RATE = 0.25;
const OVERDUE_RATE = 0.15;
const TWIN_RATE = 0.2;
/** Longer than a submit takes on a busy machine. */
const TWIN_SUBMIT_TIMEOUT_MS = 1_500;

/**
 * Runs orders of every tool through an engine that fails in every way, with processes that die at every call, and
 * checks the promises of the lifecycle: each order is completed or refunded, re-rolls are free and there is one at most,
 * the ledger adds up, and no output is paid for twice without a row that says why. Meanwhile owners cancel, the watchdog
 * gives up, and workers follow the same order.
 */
export async function playChaos(testApp: TestApp, { orders, seed, canFindJobs }: Chaos): Promise<ChaosFigures> {
  const random = createRandom(seed);
  const processes = createMortalProcesses(() => random() < DEATH_RATE);
  const engine = createUnrulyEngine({
    files: await makeFiles(testApp),
    canFindJobs,
    nextSubmit: () => chooseSubmit(random),
    nextPoll: () => choosePoll(random),
    nextCancel: () => chooseCancel(random),
    crash: processes.die,
  });
  const app = withEngine(testApp.app, engine);
  const play: Play = { app, engine, processes, random, overdue: new Set(), cancelled: new Set() };
  const followAll = async (waiting: string[]) => {
    await Promise.all(
      Array.from({ length: FOLLOWERS }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const id = next;
          await Promise.all([followAsQueue(play, id), meddle(play, id)]);
        }
      }),
    );
  };
  const ids = await startOrders(app, orders, random);
  await followAll([...ids]);
  const rerolls = await rerollDrifted(app, ids, random);
  await followAll([...rerolls]);
  ids.push(...rerolls);
  await checkPromises(play, ids);
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  return {
    paid: sum(engine.paid),
    lostAnswers: sum(engine.lostAnswers),
    deaths: sum(processes.deaths),
    cancelled: play.cancelled.size,
    overdue: play.overdue.size,
    ...(await count(app, ids)),
  };
}

/** What the workers, the owners and the watchdog share. */
interface Play {
  app: AppContext;
  engine: UnrulyEngine;
  processes: MortalProcesses;
  random: () => number;
  /** Generations that were given up, if they had not ended. */
  overdue: Set<string>;
  /** Generations that their owner wanted to cancel. */
  cancelled: Set<string>;
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

/** Some generations are followed by two workers, because the queue has taken the first one for dead. */
async function followAsQueue(play: Play, id: string): Promise<void> {
  if (play.random() >= TWIN_RATE) return followThroughDeaths(play, id);
  // They tell a submit of the other one from an interrupted one by its age.
  const patient = { ...play.engine, pollIntervalMs: 20, submitTimeoutMs: TWIN_SUBMIT_TIMEOUT_MS };
  const twin = { ...play, app: withEngine(play.app, patient) };
  await Promise.all([followThroughDeaths(twin, id), followThroughDeaths(twin, id)]);
}

/** Whenever the process has died or given up, another one continues. */
async function followThroughDeaths({ app, processes }: Play, id: string): Promise<void> {
  for (;;) {
    try {
      if (await processes.run(app, id, (mortal, signal) => runGeneration(mortal, id, signal))) return;
    } catch (error) {
      if (!(error instanceof UnrulyUnreachableError)) throw error;
    }
  }
}

/** Its owner cancels it at some moment, or the watchdog gives it up, long before or long after its late result. */
async function meddle({ app, processes, random, overdue, cancelled }: Play, id: string): Promise<void> {
  const dice = random();
  if (dice >= CANCEL_RATE + OVERDUE_RATE) return;
  const { accountId } = await app.db.generation.findUniqueOrThrow({ where: { id } });
  // As fast as the workers are.
  for (let turns = random() * 30; turns > 0; turns--) await app.db.generation.count({ where: { id } });
  if (dice < CANCEL_RATE) {
    cancelled.add(id);
    await processes
      .run(app, id, (mortal) => cancelGeneration(mortal, accountId, id))
      .catch((error) => expect(['generation_finished', 'unavailable']).toContain(error.code));
    return;
  }
  overdue.add(id);
  const age = GENERATION_TIMEOUT_MS * (random() < 0.5 ? 1.1 : 10);
  await app.db.generation.updateMany({
    where: { id, status: { in: [...ACTIVE_STATUSES] } },
    data: { createdAt: new Date(Date.now() - age) },
  });
  await failOverdueGenerations(app);
}

async function startOrders(app: AppContext, orders: number, random: () => number): Promise<string[]> {
  const ids: string[] = [];
  await app.db.engineOutage.deleteMany();
  for (let index = 0; index < orders; index++) {
    const kind = GENERATION_KINDS[index % GENERATION_KINDS.length] ?? 'video';
    const { id: accountId } = await createAccount(app, { stars: STARS, isPaid: random() < 0.5 });
    const { id: imageId } = await createStoredPhoto(app, accountId);
    ids.push((await STARTS[kind](app, accountId, imageId)).generationId);
  }
  return ids;
}

const STARTS: Record<
  GenerationKind,
  (app: AppContext, accountId: number, imageId: string) => Promise<{ generationId: string }>
> = {
  video: (app, id, imageId) =>
    startGeneration(app, {
      account: { id },
      kind: 'video',
      photos: { subject: { imageId } },
      key: null,
      choice: videoSettings.parse({}),
    }),
  model_change: (app, id, imageId) =>
    startGeneration(app, {
      account: { id },
      kind: 'model_change',
      photos: { subject: { imageId } },
      key: null,
      choice: { modelImageUrl: app.catalogue.models[0]?.imageUrl ?? null, backgroundImageUrl: '' },
    }),
  photosession: (app, id, imageId) =>
    startGeneration(app, {
      account: { id },
      kind: 'photosession',
      photos: { subject: { imageId } },
      choice: {},
      key: null,
    }),
  try_on: async (app, id, imageId) =>
    startGeneration(app, {
      account: { id },
      kind: 'try_on',
      choice: tryOnSettings.parse({}),
      key: null,
      photos: { subject: { imageId }, person: { imageId: (await createStoredPhoto(app, id)).id } },
    }),
};

/** Some results have drifted, and their owners press the button twice at once. Returns the ids of the re-rolls. */
async function rerollDrifted(app: AppContext, ids: string[], random: () => number): Promise<string[]> {
  const rerolls: string[] = [];
  await app.db.engineOutage.deleteMany();
  for (const generationId of ids) {
    const results = await app.db.result.findMany({ where: { generationId }, orderBy: { position: 'asc' } });
    const drifted = results.filter(() => random() < DRIFT_RATE);
    const [first] = drifted;
    if (!first) continue;
    await app.db.garmentCheck.createMany({
      data: drifted.map(({ id: resultId }) => ({ resultId, verdict: 'drifted' as const })),
    });
    const press = () => startReroll(app, first.accountId, generationId).catch(refusedForToday);
    const [once, again] = await Promise.all([press(), press()]);
    expect(again, generationId).toEqual(once);
    if (once) rerolls.push(once.generationId);
  }
  return rerolls;
}

/** Nothing more is made today for an account with three failures that were paid for. */
function refusedForToday(error: unknown): null {
  if (error instanceof AppError && error.code === 'engine_refusals_reached') return null;
  throw error;
}

async function checkPromises({ app, engine, processes, overdue, cancelled }: Play, ids: string[]): Promise<void> {
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
      // What comes after the watchdog has returned the stars is free.
      const isFree = status === 'failed' || (overdue.has(id) && ends[0]?.kind === 'release');
      expect(spent === 0, id).toBe(isFree);
    }
    if (generation.failureCode === 'cancelled') expect(cancelled, id).toContain(id);
    if (generation.failureCode === 'timed_out') expect(overdue, id).toContain(id);
    expect(engineRuns.filter(isLive), id).toEqual([]);
    for (const position of new Set(engineRuns.map((run) => run.position))) {
      const runs = engineRuns.filter((run) => run.position === position);
      expect(runs.filter(({ reason }) => reason === (isReroll ? 'reroll' : 'first')).length, id).toBe(1);
      // Every paid submit has its row, and every row but the first says why it was needed.
      expect(engine.paid.get(`${id}/${position}`) ?? 0, id).toBeLessThanOrEqual(runs.length);
      // A death interrupts one submit of each output at most.
      const again = runs.filter(({ reason }) => reason === 'submit_interrupted').length;
      const interruptions = (engine.lostAnswers.get(`${id}/${position}`) ?? 0) + (processes.deaths.get(id) ?? 0);
      expect(again, id).toBeLessThanOrEqual(interruptions);
    }
    // The books never hold less than the provider charges, and more only where nobody knows whether a job was started.
    const booked = engineRuns.reduce((sum, run) => sum + run.costMicros, 0);
    const uncertain = engineRuns.filter((run) => run.status === 'uncertain').length * UNRULY_PRICE.micros;
    expect(booked, id).toBeGreaterThanOrEqual(engine.chargedMicros(id));
    expect(booked - uncertain, id).toBeLessThanOrEqual(engine.chargedMicros(id));
  }
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

function chooseCancel(random: () => number): CancelEvent {
  const dice = random();
  if (dice < 0.6) return { say: 'cancelled' };
  return { say: dice < 0.85 ? 'runs_on' : 'unreachable' };
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

async function makeFiles({ database }: TestApp): Promise<{ video: string; picture: string }> {
  const video = path.join(database.dataDir, 'chaos.mp4');
  const picture = path.join(database.dataDir, 'chaos.jpg');
  await writeFile(video, (await drawTestVideo()).content);
  await writeFile(picture, await drawJpeg(90, 120));
  return { video, picture };
}
