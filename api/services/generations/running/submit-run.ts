import type {
  EngineFailure,
  EngineOutput,
  GenerationEngine,
  SubmitAnswer,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { isMachineFault } from '#api/adapters/storage/disk-failures.ts';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { createRowId } from '#api/database/database.ts';
import { retryDuringDatabaseFaults } from '#api/database/retry-during-database-faults.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { hasWithdrawnTransfer } from '#api/services/core/consents.ts';
import { noteFailure } from '#api/services/generations/engine-health/engine-outages.ts';
import {
  type Attempts,
  beginRun,
  forgetRun,
  isSubmitInterrupted,
  jobOf,
  listAttempts,
  recordCancelled,
  recordFailed,
  recordSubmitted,
  recordUncertain,
  submitSeen,
} from '#api/services/generations/engine-health/engine-runs.ts';
import { findGeneration } from '#api/services/generations/results/find-generation.ts';
import { listInputs } from '#api/services/generations/results/inputs.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import type { EngineRun, EngineRunReason, Generation } from '#prisma/generated/client.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { ACTIVE_STATUSES, type GenerationFailureCode, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { toEngineOrder } from './engine-order.ts';
import { describeWebhook } from './engine-webhooks.ts';

/**
 * How often the job of an output is submitted at most. Interrupted jobs are not counted, but have a limit of their own.
 */
const MAX_ATTEMPTS = 5;
/** Deploys interrupt a job now and then. A job that kills its process every time must not run for ever. */
const MAX_INTERRUPTIONS = 15;
/** How often an output is paid for in vain. A model whose files are never usable would cost five times its price. */
const MAX_CHARGED_FAILURES = 2;
/** How long an engine is asked again that is overloaded or cannot be reached. */
const OVERLOAD_PATIENCE_MS = 10 * 60_000;
const MAX_PAUSE_MS = 60_000;

/** An engine without capacity, or out of reach: since when, how often in a row, and when it is asked again. */
export interface Overload {
  since: number;
  count: number;
  until: number;
}

/** What one step of a generation works on. */
export interface StepContext {
  app: AppContext;
  engine: GenerationEngine;
  task: Generation;
  /** Outputs that this follower has tried to store. */
  storedPositions: Set<number>;
  /** By position. */
  overloads: Map<number, Overload>;
}

/** How one output stands after a step. */
export type Standing =
  | { state: 'waiting' }
  | { state: 'preparing' | 'running'; share: number | null; outputs?: EngineOutput[] }
  /** `outputs`: its files, or none when they are booked already. */
  | { state: 'done'; run: EngineRun; outputs: EngineOutput[] }
  | { state: 'failed'; code: GenerationFailureCode };

/** Back-off: the pause before an engine is called again that failed so many times in a row. */
export function pauseAfter({ pollIntervalMs }: GenerationEngine, failures: number): number {
  return backOffMs(failures, { firstMs: pollIntervalMs, longestMs: MAX_PAUSE_MS });
}

/** What people are told about a failure. */
const SHOWN_FAILURE_CODES: Record<EngineFailure['code'], GenerationFailureCode> = {
  photo_unsuitable: 'photo_unsuitable',
  photo_lost: 'photo_lost',
  content_refused: 'content_refused',
  engine_unfunded: 'engine_maintenance',
  engine_misconfigured: 'engine_maintenance',
  engine_overloaded: 'engine_overloaded',
  engine_timed_out: 'engine_timed_out',
  job_lost: 'job_lost',
  job_cancelled: 'engine_error',
  interrupted: 'engine_error',
  storage_failed: 'storage_failed',
  engine_error: 'engine_error',
};

/** The position of each job of the engine. One that makes all outputs is written down under the first one. */
export function listJobPositions(engine: GenerationEngine, task: Pick<Generation, 'kind' | 'positions'>): number[] {
  const outputs = listPositions(task);
  return engine.outputsOfOrder === 'together' ? outputs.slice(0, 1) : outputs;
}

/** The outputs that one job of the engine makes. */
export function positionsOf(
  engine: GenerationEngine,
  task: Pick<Generation, 'kind' | 'positions'>,
  position: number,
): number[] {
  return engine.outputsOfOrder === 'apart' ? [position] : listPositions(task);
}

/**
 * Submits the job of an output that has none, unless its last failure was final. The run is written down before the
 * submit and after it, so that a crash in between is found here.
 */
export async function submitRun(context: StepContext, position: number, attempts: Attempts | null): Promise<Standing> {
  if (attempts?.latest.status === 'submitting') return resolveInterruptedSubmit(context, attempts.latest);
  const ending = judgeEnding(context, attempts);
  if (ending) return { state: 'failed', code: ending };
  if ((context.overloads.get(position)?.until ?? 0) > Date.now()) return { state: 'waiting' };
  const { app, engine, task } = context;
  if (engine.photosTravel === 'abroad' && (await hasWithdrawnTransfer(app, task.accountId))) {
    return { state: 'failed', code: 'consent_withdrawn' };
  }
  const order = await orderFor(context, position, createRowId());
  if (!order) {
    app.log.error({ generationId: task.id }, 'a photo or a catalogue entry of the order is gone');
    return { state: 'failed', code: 'engine_error' };
  }
  const reason = reasonFor(task, attempts);
  const begun = await beginRun(app, engine, task, order, { reason, attempts: attempts?.count ?? 0 });
  if (begun.state === 'taken' || begun.state === 'later') return { state: 'waiting' };
  if (begun.state !== 'begun') return { state: 'failed', code: begun.state };
  let answer: SubmitAnswer;
  try {
    answer = await submitSeen(app, begun.run, () => engine.submit(order));
  } catch (error) {
    if (isMachineFault(error)) {
      // A photo could not be read or prepared, so nothing was started, and the engine has nothing to do with it.
      await forgetRun(app, begun.run);
      throw error;
    }
    app.log.warn({ err: error, generationId: task.id }, 'an order could not be handed in');
    // Nothing was started.
    const isPhotoLost = error instanceof ObjectNotFoundError;
    answer = { state: 'refused', failure: isPhotoLost ? describeLostPhoto(error) : UNREACHABLE };
  }
  // Otherwise nothing was started, and the same order is handed in again.
  if (answer.state === 'submitted' || answer.state === 'uncertain') noteReason(app, begun.run);
  return applyAnswer(context, begun.run, answer);
}

const UNREACHABLE: EngineFailure = {
  code: 'engine_overloaded',
  detail: 'orders cannot be handed in',
  shouldRetry: true,
};

function describeLostPhoto({ message: detail }: ObjectNotFoundError): EngineFailure {
  return { code: 'photo_lost', detail, shouldRetry: false };
}

async function orderFor({ app, engine, task }: StepContext, position: number, runId: string) {
  const inputs = await listInputs(app.db, task.id);
  const webhookUrl = describeWebhook(app, engine, runId);
  return toEngineOrder(app, task, inputs, { runId, positions: positionsOf(engine, task, position), webhookUrl });
}

/** Why the output is not submitted again. Null when it is. */
function judgeEnding({ task }: StepContext, attempts: Attempts | null): GenerationFailureCode | null {
  // A generation that has ended gets no new jobs.
  if (isFinal(task.status)) return (task.failureCode ?? 'engine_error') as GenerationFailureCode;
  if (!attempts) return task.cancelRequestedAt ? 'cancelled' : null;
  const { latest } = attempts;
  // Its owner has cancelled what could still be stopped.
  if (latest.status === 'cancelled') return 'cancelled';
  return mayTryAgain(task, attempts, latest)
    ? null
    : (SHOWN_FAILURE_CODES[latest.failureCode as EngineFailure['code']] ?? 'engine_error');
}

function mayTryAgain(
  task: Generation,
  { count, interruptions, chargedFailures }: Attempts,
  latest: Pick<EngineRun, 'status' | 'shouldRetry'>,
): boolean {
  if (isFinal(task.status) || task.cancelRequestedAt) return false;
  const mayHelp = latest.status === 'uncertain' || (latest.status === 'failed' && latest.shouldRetry);
  const isLeft = count - interruptions < MAX_ATTEMPTS && interruptions < MAX_INTERRUPTIONS;
  return mayHelp && isLeft && chargedFailures < MAX_CHARGED_FAILURES;
}

function reasonFor({ rerollOfId }: Generation, attempts: Attempts | null): EngineRunReason {
  if (!attempts) return rerollOfId === null ? 'first' : 'reroll';
  if (attempts.latest.status === 'uncertain') return 'submit_interrupted';
  return LOST_CODES.some((code) => code === attempts.latest.failureCode) ? 'job_lost' : 'failed_before';
}

const LOST_CODES: readonly EngineFailure['code'][] = ['job_lost', 'interrupted'];

async function applyAnswer(context: StepContext, run: EngineRun, answer: SubmitAnswer): Promise<Standing> {
  const { app, engine, task, overloads } = context;
  if (answer.state !== 'refused') overloads.delete(run.position);
  switch (answer.state) {
    case 'busy':
      await forgetRun(app, run);
      return { state: 'waiting' };
    case 'refused':
      return refuse(context, run, answer.failure);
    case 'uncertain':
      app.log.warn({ generationId: task.id, runId: run.id, detail: answer.detail }, 'a submit was interrupted');
      await recordUncertain(app, run);
      return { state: 'waiting' };
    case 'submitted': {
      // Otherwise the job would be paid for again.
      await retryDuringDatabaseFaults(() => recordSubmitted(app, run, answer.job));
      const facts = { generationId: task.id, runId: run.id, engine: engine.name, engineJobId: answer.job.id };
      app.log.info({ action: 'engine_submitted', ...facts }, 'the engine has taken an order');
      const started = await app.db.generation.updateMany({
        where: { id: task.id, status: { in: [...ACTIVE_STATUSES] } },
        // It stays pending while it waits in the engine's own queue.
        data: { startedAt: task.startedAt ?? new Date() },
      });
      if (started.count === 1) return { state: 'waiting' };
      // Cancelled or given up during the submit. Nobody else knows this job, so it is stopped here.
      await stopRun(app, engine, { ...run, jobId: answer.job.id, jobDetails: { ...answer.job.details } });
      return { state: 'failed', code: 'cancelled' };
    }
  }
}

/** An engine without capacity is asked again, with growing pauses. It has started nothing, so no attempt is used up. */
async function refuse(context: StepContext, run: EngineRun, failure: EngineFailure): Promise<Standing> {
  const { app, engine, task, overloads } = context;
  if (failure.code !== 'engine_overloaded' || !failure.shouldRetry) return failRun(context, run, failure);
  const { since, count } = overloads.get(run.position) ?? { since: Date.now(), count: 0 };
  if (Date.now() - since > OVERLOAD_PATIENCE_MS) return failRun(context, run, { ...failure, shouldRetry: false });
  await forgetRun(app, run);
  const pause = pauseAfter(engine, count + 1);
  overloads.set(run.position, { since, count: count + 1, until: Date.now() + pause });
  app.log.warn({ generationId: task.id, detail: failure.detail, pause }, 'the engine is overloaded');
  return { state: 'waiting' };
}

/** Books the failure of a run. The next step submits again if that may help. */
export async function failRun(context: StepContext, run: EngineRun, failure: EngineFailure): Promise<Standing> {
  const { app, engine, task } = context;
  const { code, detail, shouldRetry } = failure;
  if (await wasCancelled(app, task, failure)) {
    await recordCancelled(app, run, { isStopped: !failure.isCharged });
    return { state: 'failed', code: 'cancelled' };
  }
  await recordFailed(app, run, failure);
  await noteFailure(app, engine, task.kind, failure);
  const attempts = (await listAttempts(app, task.id)).get(run.position);
  const isRetried = attempts !== undefined && mayTryAgain(task, attempts, { status: 'failed', shouldRetry });
  const log = app.log.child({ generationId: task.id, runId: run.id, engineJobId: run.jobId, code, detail, isRetried });
  log.warn('the job of an output failed');
  if (isRetried && (code === 'engine_overloaded' || code === 'storage_failed')) {
    const until = Date.now() + pauseAfter(engine, attempts.count);
    context.overloads.set(run.position, { since: Date.now(), count: attempts.count, until });
  }
  return isRetried ? { state: 'waiting' } : { state: 'failed', code: SHOWN_FAILURE_CODES[code] };
}

/** Says in the log why an output is made more than once. */
function noteReason({ log }: AppContext, { generationId, id: runId, position, reason }: EngineRun): void {
  if (reason === 'reroll') log.info({ action: 'engine_reroll', generationId, runId, position }, 'made again free');
  else if (reason !== 'first') {
    log.warn({ action: 'engine_resubmit', generationId, runId, position, reason }, 'submitted again');
  }
}

/** The owner's cancellation has reached the engine, and its note is still to come. */
async function wasCancelled({ db }: AppContext, { id }: Generation, { code }: EngineFailure): Promise<boolean> {
  if (code !== 'job_cancelled' && !LOST_CODES.includes(code)) return false;
  return Boolean((await findGeneration(db, id))?.cancelRequestedAt);
}

/** A crash came between the two notes of a submit: the job may exist. */
async function resolveInterruptedSubmit(context: StepContext, run: EngineRun): Promise<Standing> {
  const { app, engine, task } = context;
  // It may not be interrupted at all: another worker may be submitting right now.
  if (!(await isSubmitInterrupted(app, engine, run))) return { state: 'waiting' };
  const log = app.log.child({ generationId: task.id, runId: run.id });
  const order = engine.findJob && (await orderFor(context, run.position, run.id));
  if (!order) {
    await recordUncertain(app, run);
    log.warn('an interrupted submit was found, and its job may run unseen');
    return { state: 'waiting' };
  }
  const job = await engine.findJob?.(order);
  if (job) {
    await recordSubmitted(app, run, job);
    log.info('the job of an interrupted submit was found');
  } else {
    await recordFailed(app, run, { code: 'interrupted', detail: 'never submitted', shouldRetry: true });
    log.info('an interrupted submit had not reached the engine');
  }
  return { state: 'waiting' };
}

/** Stops a job whose result nobody waits for. */
export async function stopRun(app: AppContext, engine: GenerationEngine, run: EngineRun): Promise<void> {
  const outcome = (await engine.cancel?.(jobOf(run))) ?? 'runs_on';
  await recordCancelled(app, run, { isStopped: outcome === 'cancelled' });
  await engine.dispose(jobOf(run));
}
