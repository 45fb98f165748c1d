import type { EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { noteFailure } from '#api/services/generations/engine-health/engine-outages.ts';
import {
  type Attempts,
  listAttempts,
  recordCancelled,
  recordFailed,
} from '#api/services/generations/engine-health/engine-runs.ts';
import { findGeneration } from '#api/services/generations/results/find-generation.ts';
import type { EngineRun, Generation } from '#prisma/generated/client.ts';
import { type GenerationFailureCode, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { type OutputState, pauseAfter, type StepContext } from './output-state.ts';

/**
 * How often the job of an output is submitted at most. Interrupted jobs are not counted, but have a limit of their own.
 */
const MAX_ATTEMPTS = 5;
/** Deploys interrupt a job now and then. A job that kills its process every time must not run for ever. */
const MAX_INTERRUPTIONS = 15;
/** How often an output is paid for in vain. A model whose files are never usable would cost five times its price. */
const MAX_CHARGED_FAILURES = 2;

/** What the owner is told, by what went wrong at the engine. */
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

/** Records that the job of an output failed. The next step submits again if that may help. */
export async function failOutput(context: StepContext, run: EngineRun, failure: EngineFailure): Promise<OutputState> {
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

/** The owner's cancellation has reached the engine, and its note is still to come. */
async function wasCancelled({ db }: AppContext, { id }: Generation, { code }: EngineFailure): Promise<boolean> {
  if (code !== 'job_cancelled' && !LOST_CODES.includes(code)) return false;
  return Boolean((await findGeneration(db, id))?.cancelRequestedAt);
}

/** The job is gone, and nobody knows what became of it. */
export const LOST_CODES: readonly EngineFailure['code'][] = ['job_lost', 'interrupted'];

/** Why the output is not submitted again. Null when it is. */
export function findFinalFailure({ task }: StepContext, attempts: Attempts | null): GenerationFailureCode | null {
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
