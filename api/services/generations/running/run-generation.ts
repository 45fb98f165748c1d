import { setTimeout as wait } from 'node:timers/promises';
import { EngineAwayError, type GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import { isStorageFailure, StorageFullError } from '#api/adapters/storage/object-storage.ts';
import { sendAccountEvent } from '#api/database/account-events.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type Attempts, listAttempts } from '#api/services/generations/engine-health/engine-runs.ts';
import { findGeneration } from '#api/services/generations/results/find-generation.ts';
import type { EngineRun, Generation } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, GENERATION_TIMEOUT_MS, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { endWithoutEngine, endWithoutStorage, finishGeneration, stopRuns } from './finish-generation.ts';
import { listJobPositions, type OutputState, type Overload, pauseAfter, type StepContext } from './output-state.ts';
import { pollOutput } from './poll-output.ts';
import { storeReadyOutputs } from './store-outputs.ts';
import { submitOutput } from './submit-output.ts';

/** How long a result is awaited. */
const GIVE_UP_MS = 3 * 60 * 60_000;
/** How long a storage is awaited that does not work. A full one is not: somebody has to make space first. */
const STORAGE_PATIENCE_MS = 10 * 60_000;
/** How often a follower looks whether the provider has announced the end of a job. */
const ANNOUNCEMENT_INTERVAL_MS = 1_000;

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

/** Takes each output one step further. Returns true when the generation has ended. */
async function takeStep(context: StepContext): Promise<boolean> {
  const { app, engine, task } = context;
  const attempts = await listAttempts(app, task.id);
  const steps = await Promise.allSettled(
    listJobPositions(engine, task).map((position) => advanceOutput(context, position, attempts.get(position) ?? null)),
  );
  const outputStates = steps.flatMap((step) => (step.status === 'fulfilled' ? [step.value] : []));
  const broken = steps.find((step) => step.status === 'rejected');
  if (!broken && outputStates.every(({ state }) => state === 'done' || state === 'failed')) {
    return finishGeneration(context, outputStates);
  }
  await recordProgress(context, outputStates);
  // An output whose step failed does not keep the others from being stored.
  await storeReadyOutputs(context, outputStates);
  if (broken) throw broken.reason;
  return false;
}

/** Submits the job of an output that has none, or asks how far its job is. */
async function advanceOutput(context: StepContext, position: number, attempts: Attempts | null): Promise<OutputState> {
  const run = attempts?.latest;
  if (run?.status === 'succeeded') return { state: 'done', run, outputs: [] };
  if (run?.status === 'submitted') return pollOutput(context, run);
  return submitOutput(context, position, attempts);
}

async function recordProgress({ app, task }: StepContext, outputStates: readonly OutputState[]): Promise<void> {
  const status = judgeStatus(outputStates);
  if (!status) return;
  const share = averageShare(outputStates);
  if (task.status === status && task.progressShare === share) return;
  await app.db.generation.updateMany({
    where: { id: task.id, status: { in: [...ACTIVE_STATUSES] } },
    data: { status, progressShare: share },
  });
  if (task.status === status) return;
  const { id, accountId, kind, batchId } = task;
  await sendAccountEvent(app.db, { accountId, event: 'generation', id, kind, batchId: batchId ?? undefined });
}

/** Null while every output waits. */
function judgeStatus(outputStates: readonly OutputState[]): 'processing' | 'generating' | null {
  if (outputStates.some(({ state }) => state === 'running' || state === 'done')) return 'generating';
  return outputStates.some(({ state }) => state === 'preparing') ? 'processing' : null;
}

/** Null when the engine does not report any share. */
function averageShare(outputStates: readonly OutputState[]): number | null {
  const shares = outputStates.map((outputState) => {
    if (outputState.state === 'done') return 1;
    return 'share' in outputState ? outputState.share : null;
  });
  if (shares.every((share) => share === null)) return null;
  return shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) / shares.length;
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
