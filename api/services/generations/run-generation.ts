import { setTimeout as wait } from 'node:timers/promises';
import type { EngineFailure, EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import { sendNudge } from '#api/nudges.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { toEngineOrder } from './engine-order.ts';
import { findGeneration } from './find-generation.ts';
import { listInputs } from './inputs.ts';
import { addResults, completeGeneration, endGeneration } from './outcome.ts';
import { discardResults } from './result-files.ts';
import { storeNewResults } from './store-results.ts';

/** How often an order is started at most. A render that is killed again and again must not run for ever. */
const MAX_STARTS = 5;
/** Pause after the engine could not be reached. */
const UNREACHABLE_PAUSE_MS = 5_000;
/** How long a result is awaited. */
const GIVE_UP_MS = 3 * 60 * 60_000;

/**
 * Runs one generation to its end: starts the order, follows the engine, stores the result. Safe to run again after a
 * crash at any point. Rejects with the signal's reason when the process stops. The queue then gives the job to another
 * worker.
 */
export async function runGeneration(app: AppContext, generationId: string, signal: AbortSignal): Promise<void> {
  const log = app.log.child({ generationId });
  const storedPositions = new Set<number>();
  for (;;) {
    signal.throwIfAborted();
    const task = await findGeneration(app.db, generationId);
    if (!task || isAbandoned(task)) {
      if (task?.engineJobId) await stopAtEngine(app, task.engineJobId);
      return;
    }
    try {
      if (await takeStep(app, task, storedPositions)) return;
    } catch (error) {
      // A temporary problem, not the person's fault. If it lasts, the watchdog ends the generation.
      log.warn({ err: error }, 'generation step failed, trying again');
      await wait(UNREACHABLE_PAUSE_MS, undefined, { signal });
      continue;
    }
    await wait(app.engine.pollIntervalMs, undefined, { signal });
  }
}

/** The generation has ended and no late result can come. */
function isAbandoned(task: Generation): boolean {
  if (!isFinal(task.status)) return false;
  const mayStillCome = task.status === 'failed' && task.failureCode === 'timed_out' && task.engineJobId !== null;
  return !mayStillCome || Date.now() - task.createdAt.getTime() > GIVE_UP_MS;
}

/** Polls the engine once. Returns true when the generation has ended. */
async function takeStep(app: AppContext, task: Generation, storedPositions: Set<number>): Promise<boolean> {
  if (!task.engineJobId) return startAtEngine(app, task);
  const report = await app.engine.poll(task.engineJobId);
  switch (report.state) {
    case 'unknown':
      return startAtEngine(app, task);
    case 'queued':
      return false;
    case 'preparing':
    case 'running':
      await recordProgress(app, task, report.state === 'preparing' ? 'processing' : 'generating', report.share);
      if (report.outputs?.length) await storePartialResults(app, task, report.outputs, storedPositions);
      return false;
    case 'failed':
      return handleFailure(app, task, report.failure);
    case 'completed':
      return keepResult(app, task, task.engineJobId, report.outputs);
  }
}

/** With several outputs, stores each when it is ready. An unusable one is tried again only at the end. */
async function storePartialResults(
  app: AppContext,
  task: Generation,
  outputs: EngineOutput[],
  storedPositions: Set<number>,
): Promise<void> {
  if (TOOLS[task.kind].outputs.count === 1 || isFinal(task.status)) return;
  for (const output of outputs) {
    if (storedPositions.has(output.position)) continue;
    const { results } = await storeNewResults(app, task, [output]);
    if (results.length > 0 && !(await addResults(app, task, results))) await discardResults(app, task.id, results);
    storedPositions.add(output.position);
  }
}

async function keepResult(app: AppContext, task: Generation, jobId: string, outputs: EngineOutput[]): Promise<boolean> {
  const { results, kept } = await storeNewResults(app, task, outputs);
  if (kept + results.length === 0) {
    return handleFailure(app, task, { code: 'engine_error', detail: 'no usable result', shouldRetry: true });
  }
  const outcome = await completeGeneration(app, task, results);
  if (outcome === 'discarded') {
    await discardResults(app, task.id, results);
    app.log.info({ generationId: task.id }, 'a result that came after the end was discarded');
  } else {
    const ms = Date.now() - task.createdAt.getTime();
    app.log.info({ action: 'generation_completed', generationId: task.id, outcome, ms }, 'generation completed');
  }
  await app.engine.dispose(jobId);
  return true;
}

async function startAtEngine(app: AppContext, task: Generation): Promise<boolean> {
  if (isFinal(task.status)) return true;
  if (task.starts >= MAX_STARTS) {
    return handleFailure(app, task, { code: 'engine_error', detail: 'started too often', shouldRetry: false });
  }
  const order = toEngineOrder(app, task, await listInputs(app.db, task.id));
  if (!order) {
    const detail = 'a photo or a catalogue entry of the order is gone';
    return handleFailure(app, task, { code: 'engine_error', detail, shouldRetry: false });
  }
  // Counted before the start, so that a start which kills the process counts, too.
  await app.db.generation.update({
    where: { id: task.id },
    data: { starts: { increment: 1 }, startedAt: task.startedAt ?? new Date() },
  });
  let engineJobId: string;
  try {
    engineJobId = await app.engine.start(order);
  } catch (error) {
    // The engine could not be reached and nothing was started. An outage must not use up the starts.
    await app.db.generation.update({ where: { id: task.id }, data: { starts: { decrement: 1 } } });
    throw error;
  }
  const started = await app.db.generation.updateMany({
    where: { id: task.id, status: { in: [...ACTIVE_STATUSES] } },
    data: { engineJobId, status: 'processing' },
  });
  if (started.count === 1) return false;
  // Cancelled or given up during the start. Nobody else knows this job's id, so it is stopped here.
  await stopAtEngine(app, engineJobId);
  return true;
}

async function recordProgress(
  app: AppContext,
  task: Generation,
  status: 'processing' | 'generating',
  share: number | null,
): Promise<void> {
  if (task.status === status && task.progressShare === share) return;
  await app.db.generation.updateMany({
    where: { id: task.id, status: { in: [...ACTIVE_STATUSES] } },
    data: { status, progressShare: share },
  });
  if (task.status === status) return;
  await sendNudge(app.db, { accountId: task.accountId, event: 'generation', id: task.id, kind: task.kind });
}

async function handleFailure(app: AppContext, task: Generation, failure: EngineFailure): Promise<boolean> {
  const log = app.log.child({ generationId: task.id, engineJobId: task.engineJobId, detail: failure.detail });
  if (task.engineJobId) await app.engine.dispose(task.engineJobId);
  if (failure.shouldRetry && task.starts < MAX_STARTS && !isFinal(task.status)) {
    log.warn('engine failed, starting the order again');
    return startAtEngine(app, task);
  }
  const outcome = await endGeneration(app, task, failure.code);
  if (outcome !== 'had_ended') {
    // An unsuitable photo is a matter for its owner, not for the operator.
    const level = failure.code === 'photo_unsuitable' ? 'info' : 'error';
    log[level]({ action: 'generation_failed', code: failure.code, outcome }, 'generation failed');
  }
  return true;
}

async function stopAtEngine(app: AppContext, engineJobId: string): Promise<void> {
  await app.engine.cancel?.(engineJobId);
  await app.engine.dispose(engineJobId);
}
