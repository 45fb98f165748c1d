import type { EngineFailure, SubmitAnswer } from '#api/adapters/generation-engines/generation-engine.ts';
import { isMachineFault } from '#api/adapters/storage/disk-failures.ts';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { createRowId } from '#api/database/database.ts';
import { retryDuringDatabaseFaults } from '#api/database/retry-during-database-faults.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { hasWithdrawnTransfer } from '#api/services/core/consents.ts';
import {
  type Attempts,
  beginRun,
  forgetRun,
  isSubmitInterrupted,
  recordFailed,
  recordSubmitted,
  recordUncertain,
  submitSeen,
} from '#api/services/generations/engine-health/engine-runs.ts';
import { listInputs } from '#api/services/generations/results/inputs.ts';
import type { EngineRun, EngineRunReason, Generation } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { stopRun } from './end-run.ts';
import { toEngineOrder } from './engine-order.ts';
import { describeWebhook } from './engine-webhooks.ts';
import { failOutput, findFinalFailure, LOST_CODES } from './fail-output.ts';
import { type OutputState, pauseAfter, positionsOf, type StepContext } from './output-state.ts';

/** How long an engine is asked again that is overloaded or cannot be reached. */
const OVERLOAD_PATIENCE_MS = 10 * 60_000;

/**
 * Submits the job of an output that has none, unless its last failure was final. The run is written down before the
 * submit and after it, so that a crash in between is found here.
 */
export async function submitOutput(
  context: StepContext,
  position: number,
  attempts: Attempts | null,
): Promise<OutputState> {
  if (attempts?.latest.status === 'submitting') return resolveInterruptedSubmit(context, attempts.latest);
  const ending = findFinalFailure(context, attempts);
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
  if (answer.state === 'submitted' || answer.state === 'uncertain') logReason(app, begun.run);
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

function reasonFor({ rerollOfId }: Generation, attempts: Attempts | null): EngineRunReason {
  if (!attempts) return rerollOfId === null ? 'first' : 'reroll';
  if (attempts.latest.status === 'uncertain') return 'submit_interrupted';
  return LOST_CODES.some((code) => code === attempts.latest.failureCode) ? 'job_lost' : 'failed_before';
}

/** Says in the log why an output is made more than once. */
function logReason({ log }: AppContext, { generationId, id: runId, position, reason }: EngineRun): void {
  if (reason === 'reroll') log.info({ action: 'engine_reroll', generationId, runId, position }, 'made again free');
  else if (reason !== 'first') {
    log.warn({ action: 'engine_resubmit', generationId, runId, position, reason }, 'submitted again');
  }
}

async function applyAnswer(context: StepContext, run: EngineRun, answer: SubmitAnswer): Promise<OutputState> {
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
async function refuse(context: StepContext, run: EngineRun, failure: EngineFailure): Promise<OutputState> {
  const { app, engine, task, overloads } = context;
  if (failure.code !== 'engine_overloaded' || !failure.shouldRetry) return failOutput(context, run, failure);
  const { since, count } = overloads.get(run.position) ?? { since: Date.now(), count: 0 };
  if (Date.now() - since > OVERLOAD_PATIENCE_MS) return failOutput(context, run, { ...failure, shouldRetry: false });
  await forgetRun(app, run);
  const pause = pauseAfter(engine, count + 1);
  overloads.set(run.position, { since, count: count + 1, until: Date.now() + pause });
  app.log.warn({ generationId: task.id, detail: failure.detail, pause }, 'the engine is overloaded');
  return { state: 'waiting' };
}

/** A crash came between the two notes of a submit: the job may exist. */
async function resolveInterruptedSubmit(context: StepContext, run: EngineRun): Promise<OutputState> {
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
