import type { EngineFailure, GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listAttempts, recordUncertain } from '#api/services/generations/engine-health/engine-runs.ts';
import { discardResults, removeUnbookedFiles } from '#api/services/generations/results/result-files.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { closeRun, stopRun } from './end-run.ts';
import { failOutput } from './fail-output.ts';
import { completeGeneration, endGeneration } from './outcome.ts';
import { type OutputState, positionsOf, type StepContext } from './output-state.ts';
import { listBookedPositions, storeNewOutputs } from './store-outputs.ts';

/**
 * Stores what the jobs have made and ends the generation, once no output is under way. Returns false when an unusable
 * result is made again.
 */
export async function finishGeneration(context: StepContext, outputStates: readonly OutputState[]): Promise<boolean> {
  const { app, engine, task } = context;
  const done = outputStates.filter((one) => one.state === 'done');
  const { results, kept } = await storeNewOutputs(
    app,
    task,
    done.flatMap(({ outputs }) => outputs),
  );
  const made = new Set([...kept, ...results.map(({ position }) => position)]);
  const unusable = done.filter(({ run }) => !positionsOf(engine, task, run.position).some((one) => made.has(one)));
  const judged: OutputState[] = outputStates.filter(({ state }) => state === 'failed');
  for (const { run } of unusable) judged.push(await failOutput(context, run, UNUSABLE));
  if (judged.some(({ state }) => state !== 'failed')) return false;
  if (made.size === 0) {
    await failGeneration(context, judged);
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

async function failGeneration({ app, task }: StepContext, outputStates: readonly OutputState[]): Promise<void> {
  const codes = outputStates.flatMap((one) => (one.state === 'failed' ? [one.code] : []));
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

/** The engine that the generation was started with has no settings any more. */
export async function endWithoutEngine(app: AppContext, task: Generation): Promise<void> {
  app.log.error({ generationId: task.id, engine: task.engine }, 'the engine of a generation is not configured');
  await endGeneration(app, task, 'engine_maintenance');
}

/** What was made cannot be kept. That is no fault of the engine, and the stars come back at once. */
export async function endWithoutStorage(app: AppContext, task: Generation, cause: Error): Promise<void> {
  const outcome = await endGeneration(app, task, 'storage_failed');
  const log = app.log.child({ generationId: task.id });
  log.error({ action: 'generation_failed', code: 'storage_failed', outcome, err: cause }, 'no storage for a result');
  await removeUnbookedFiles(app, task).catch((error: unknown) =>
    log.warn({ err: error }, 'files of a failed generation will be removed by the next clean-up'),
  );
}

/**
 * Stops what the engine can stop. Nobody waits for its results. A crash may have come after all of a run were booked.
 */
export async function stopRuns(app: AppContext, engine: GenerationEngine, task: Generation): Promise<void> {
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
