import { setTimeout as wait } from 'node:timers/promises';
import {
  EngineAwayError,
  type EngineFailure,
  type GenerationEngine,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { isStorageFailure, StorageFullError } from '#api/adapters/storage/object-storage.ts';
import { sendAccountEvent } from '#api/database/account-events.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { noteSuccess } from '#api/services/generations/engine-health/engine-outages.ts';
import {
  type Attempts,
  jobOf,
  listAttempts,
  recordSucceeded,
  recordUncertain,
} from '#api/services/generations/engine-health/engine-runs.ts';
import { findGeneration } from '#api/services/generations/results/find-generation.ts';
import { discardResults, removeUnbookedFiles } from '#api/services/generations/results/result-files.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import type { EngineRun, Generation } from '#prisma/generated/client.ts';
import {
  ACTIVE_STATUSES,
  GENERATION_TIMEOUT_MS,
  type GenerationFailureCode,
  isFinal,
} from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { addResults, completeGeneration, endGeneration } from './outcome.ts';
import { listBookedPositions, storeNewResults } from './store-results.ts';
import {
  failRun,
  listJobPositions,
  type Overload,
  pauseAfter,
  positionsOf,
  type Standing,
  type StepContext,
  stopRun,
  submitRun,
} from './submit-run.ts';

/** How long a result is awaited. */
const GIVE_UP_MS = 3 * 60 * 60_000;
/** How long a storage is awaited that does not work. A full one is not: somebody has to make space first. */
const STORAGE_PATIENCE_MS = 10 * 60_000;
/** How often a follower looks whether the provider has announced the end of a job. */
const ANNOUNCEMENT_INTERVAL_MS = 1_000;
/** A process that storing needs starts in less, and waits that long. */
const PREPARE_AHEAD_MS = 1_000;

/**
 * Runs one generation to its end: submits its jobs, follows the engine, stores the results. Safe to run again after a
 * crash at any point. Rejects with the signal's reason when the process stops. The queue then gives the job to another
 * worker.
 */
export async function runGeneration(app: AppContext, generationId: string, signal: AbortSignal): Promise<void> {
  const log = app.log.child({ generationId });
  const remembered = { storedPositions: new Set<number>(), overloads: new Map<number, Overload>() };
  let failedSteps = 0;
  let storageFailedSince: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const task = await findGeneration(app.db, generationId);
    if (!task) return;
    const engine = app.engines.find(task.engine);
    if (!engine) return endWithoutEngine(app, task);
    if (await isAbandoned(app, task)) return stopRuns(app, engine, task);
    try {
      if (await takeStep({ app, engine, task, ...remembered })) return;
      failedSteps = 0;
      storageFailedSince = null;
    } catch (error) {
      // One that has ended cannot end again. Its late result is tried again with pauses, as after any other problem.
      if (isStorageFailure(error) && !isFinal(task.status)) {
        storageFailedSince ??= Date.now();
        const isHopeless = error instanceof StorageFullError || Date.now() - storageFailedSince > STORAGE_PATIENCE_MS;
        if (isHopeless) {
          await endWithoutStorage(app, task, error);
          continue;
        }
      }
      // A temporary problem, not the person's fault. If it lasts, the watchdog ends the generation.
      log.warn({ err: error }, 'generation step failed, trying again');
      const pause = pauseAfter(engine, ++failedSteps);
      await wait(error instanceof EngineAwayError ? Math.min(pause, error.decidesInMs) : pause, undefined, { signal });
      continue;
    }
    await waitForChange(app, engine, generationId, signal);
  }
}

/** The engine that the generation was started with has no settings any more. */
async function endWithoutEngine(app: AppContext, task: Generation): Promise<void> {
  app.log.error({ generationId: task.id, engine: task.engine }, 'the engine of a generation is not configured');
  await endGeneration(app, task, 'engine_maintenance');
}

/** What was made cannot be kept. That is no fault of the engine, and the stars come back at once. */
async function endWithoutStorage(app: AppContext, task: Generation, cause: Error): Promise<void> {
  const outcome = await endGeneration(app, task, 'storage_failed');
  const log = app.log.child({ generationId: task.id });
  log.error({ action: 'generation_failed', code: 'storage_failed', outcome, err: cause }, 'no storage for a result');
  await removeUnbookedFiles(app, task).catch((error: unknown) =>
    log.warn({ err: error }, 'files of a failed generation will be removed by the next clean-up'),
  );
}

/** The generation has ended and no late result is awaited. */
async function isAbandoned(app: AppContext, task: Generation): Promise<boolean> {
  if (!isFinal(task.status)) return false;
  if (task.status !== 'failed' || task.failureCode !== 'timed_out') return true;
  if (Date.now() - task.createdAt.getTime() > GIVE_UP_MS) return true;
  const attempts = [...(await listAttempts(app, task.id)).values()];
  return !attempts.some(({ latest }) => latest.status === 'submitted' && !isHanging(latest));
}

/** A job that costs nothing is not awaited longer than a generation may take. It keeps others from its machine. */
function isHanging({ currency, submittedAt }: EngineRun): boolean {
  if (currency !== null || submittedAt === null) return false;
  return Date.now() - submittedAt.getTime() > GENERATION_TIMEOUT_MS;
}

/** Waits until the next poll, or until the engine or its provider announces the end of a job. */
async function waitForChange(
  app: AppContext,
  engine: GenerationEngine,
  generationId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!engine.parseWebhook) {
    const pause = wait(engine.pollIntervalMs, undefined, { signal });
    return Promise.race([pause, engine.whenEnded?.(generationId) ?? pause]);
  }
  const from = new Date();
  const until = from.getTime() + engine.pollIntervalMs;
  for (let left = engine.pollIntervalMs; left > 0; left = until - Date.now()) {
    await wait(Math.min(left, ANNOUNCEMENT_INTERVAL_MS), undefined, { signal });
    const announced = await app.db.engineRun.count({
      where: { generationId, status: 'submitted', notifiedAt: { gte: from } },
    });
    if (announced > 0) return;
  }
}

/** Takes each output one step further. Returns true when the generation has ended. */
async function takeStep(context: StepContext): Promise<boolean> {
  const { app, engine, task } = context;
  const attempts = await listAttempts(app, task.id);
  const steps = await Promise.allSettled(
    listJobPositions(engine, task).map((position) => advance(context, position, attempts.get(position) ?? null)),
  );
  const standings = steps.flatMap((step) => (step.status === 'fulfilled' ? [step.value] : []));
  const broken = steps.find((step) => step.status === 'rejected');
  if (!broken && standings.every(({ state }) => state === 'done' || state === 'failed')) {
    return finish(context, standings);
  }
  await recordProgress(context, standings);
  // An output whose step failed does not keep the others from being stored.
  await storePartialResults(context, standings);
  if (broken) throw broken.reason;
  return false;
}

/** Submits the job of an output, or asks how far it is. */
async function advance(context: StepContext, position: number, attempts: Attempts | null): Promise<Standing> {
  const { app, engine, task } = context;
  const run = attempts?.latest;
  if (run?.status === 'succeeded') return { state: 'done', run, outputs: [] };
  if (run?.status !== 'submitted') return submitRun(context, position, attempts);
  const report = await engine.poll(jobOf(run), { positions: positionsOf(engine, task, position) });
  switch (report.state) {
    case 'unknown':
      // An engine within the worker forgets its jobs only when the process ends.
      return failRun(context, run, engine.photosTravel === 'nowhere' ? INTERRUPTED : FORGOTTEN);
    case 'queued':
      return { state: 'waiting' };
    case 'preparing':
      return report;
    case 'running':
      if (estimateRest(run, report.share) < PREPARE_AHEAD_MS) TOOL_TABLE[task.kind].store.warmUp(app);
      return report;
    case 'failed': {
      const standing = await failRun(context, run, report.failure);
      await engine.dispose(jobOf(run));
      return standing;
    }
    case 'completed':
      TOOL_TABLE[task.kind].store.warmUp(app);
      return { state: 'done', run, outputs: report.outputs };
  }
}

/** How long the rest of a job takes if it goes on as before, in milliseconds. Endless when its engine tells no share. */
function estimateRest({ submittedAt }: EngineRun, share: number | null): number {
  if (!share || submittedAt === null) return Number.POSITIVE_INFINITY;
  return (Date.now() - submittedAt.getTime()) * (1 / share - 1);
}

const INTERRUPTED: EngineFailure = {
  code: 'interrupted',
  detail: 'the process of the engine has ended',
  shouldRetry: true,
};

/** It may have been made before it was forgotten. */
const FORGOTTEN: EngineFailure = {
  code: 'job_lost',
  detail: 'the engine has no such job',
  shouldRetry: true,
  isCharged: true,
};

/** With several outputs, stores each when it is ready. An unusable one is tried again only at the end. */
async function storePartialResults(context: StepContext, standings: readonly Standing[]): Promise<void> {
  const { app, task, storedPositions } = context;
  if (TOOLS[task.kind].outputs.count === 1 || isFinal(task.status)) return;
  for (const standing of standings) {
    const outputs = 'outputs' in standing ? (standing.outputs ?? []) : [];
    for (const output of outputs) {
      if (storedPositions.has(output.position)) continue;
      const { results, kept } = await storeNewResults(app, task, [output]);
      const isBooked = results.length === 0 || (await addResults(app, task, results));
      if (!isBooked) await discardResults(app, task.id, results);
      storedPositions.add(output.position);
      const isThere = kept.has(output.position) || (results.length > 0 && isBooked);
      if (standing.state === 'done' && isThere) await closeRun(context, standing.run);
    }
  }
}

/** Books what the jobs have made and ends the generation. Returns false when an unusable result is made again. */
async function finish(context: StepContext, standings: readonly Standing[]): Promise<boolean> {
  const { app, engine, task } = context;
  const done = standings.filter((standing) => standing.state === 'done');
  const { results, kept } = await storeNewResults(
    app,
    task,
    done.flatMap(({ outputs }) => outputs),
  );
  const made = new Set([...kept, ...results.map(({ position }) => position)]);
  const unusable = done.filter(({ run }) => !positionsOf(engine, task, run.position).some((one) => made.has(one)));
  const judged: Standing[] = standings.filter(({ state }) => state === 'failed');
  for (const { run } of unusable) judged.push(await failRun(context, run, UNUSABLE));
  if (judged.some(({ state }) => state !== 'failed')) return false;
  if (made.size === 0) {
    await fail(context, judged);
    return true;
  }
  const outcome = await completeGeneration(app, task, results);
  if (outcome === 'discarded') {
    await discardResults(app, task.id, results);
    app.log.info({ generationId: task.id }, 'a result that came after the end was discarded');
  } else {
    const ms = Date.now() - task.createdAt.getTime();
    app.log.info({ action: 'generation_completed', generationId: task.id, outcome, ms }, 'generation completed');
  }
  for (const { run } of done) if (!unusable.some((one) => one.run.id === run.id)) await closeRun(context, run);
  return true;
}

const UNUSABLE: EngineFailure = {
  code: 'engine_error',
  detail: 'no usable result',
  shouldRetry: true,
  isCharged: true,
};

/** Its results are booked, so the engine may forget the job. */
async function closeRun(
  { app, engine, task }: Pick<StepContext, 'app' | 'engine' | 'task'>,
  run: EngineRun,
): Promise<void> {
  if (run.status === 'succeeded') return;
  await recordSucceeded(app, run);
  await noteSuccess(app, engine, task.kind, run.createdAt);
  await engine.dispose(jobOf(run));
}

async function fail({ app, task }: StepContext, standings: readonly Standing[]): Promise<void> {
  const codes = standings.flatMap((standing) => (standing.state === 'failed' ? [standing.code] : []));
  const code =
    TELLING_CODES.find((one) => codes.includes(one)) ??
    (codes.every((one) => one === 'cancelled') ? 'cancelled' : 'engine_error');
  const outcome = await endGeneration(app, task, code);
  if (outcome === 'had_ended') return;
  const log = app.log.child({ generationId: task.id, action: 'generation_failed', code, outcome });
  // What its owner wants or can mend is no matter for the operator.
  if (OWN_CAUSES.includes(code)) log.info('generation failed');
  else log.error('generation failed');
}

const OWN_CAUSES: readonly GenerationFailureCode[] = [
  'photo_unsuitable',
  'content_refused',
  'consent_withdrawn',
  'cancelled',
];

/** When outputs fail for several reasons, people read the first of these: what they can mend themselves. */
const TELLING_CODES: readonly GenerationFailureCode[] = [
  'content_refused',
  'photo_unsuitable',
  'photo_lost',
  'consent_withdrawn',
  'engine_budget_reached',
  'engine_free_runs_reached',
  'engine_share_reached',
  'engine_refusals_reached',
  'engine_maintenance',
  'engine_overloaded',
  'storage_failed',
];

async function recordProgress({ app, task }: StepContext, standings: readonly Standing[]): Promise<void> {
  const status = judgeStatus(standings);
  if (!status) return;
  const share = averageShare(standings);
  if (task.status === status && task.progressShare === share) return;
  await app.db.generation.updateMany({
    where: { id: task.id, status: { in: [...ACTIVE_STATUSES] } },
    data: { status, progressShare: share },
  });
  if (task.status === status) return;
  await sendAccountEvent(app.db, { accountId: task.accountId, event: 'generation', id: task.id, kind: task.kind });
}

/** Null while every output waits. */
function judgeStatus(standings: readonly Standing[]): 'processing' | 'generating' | null {
  if (standings.some(({ state }) => state === 'running' || state === 'done')) return 'generating';
  return standings.some(({ state }) => state === 'preparing') ? 'processing' : null;
}

/** Null when the engine does not report any share. */
function averageShare(standings: readonly Standing[]): number | null {
  const shares = standings.map((standing) => {
    if (standing.state === 'done') return 1;
    return 'share' in standing ? standing.share : null;
  });
  if (shares.every((share) => share === null)) return null;
  return shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) / shares.length;
}

/**
 * Stops what the engine can stop. Nobody waits for its results. A crash may have come after all of a run were booked.
 */
async function stopRuns(app: AppContext, engine: GenerationEngine, task: Generation): Promise<void> {
  const booked = await listBookedPositions(app, task);
  for (const { latest } of (await listAttempts(app, task.id)).values()) {
    if (latest.status === 'submitted') {
      const isBooked = positionsOf(engine, task, latest.position).every((position) => booked.has(position));
      await (isBooked ? closeRun({ app, engine, task }, latest) : stopRun(app, engine, latest));
    }
    // Nobody will look for the job of an interrupted submit any more, so it stays in the books as paid.
    if (latest.status === 'submitting') await recordUncertain(app, latest);
  }
}
