import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { jobOf, listAttempts, recordCancelled } from '#api/services/generations/engine-health/engine-runs.ts';
import { findGeneration, getOwnGenerationOfAnyKind } from '#api/services/generations/results/find-generation.ts';
import { getStarsSpent } from '#api/services/stars/ledger.ts';
import type { EngineRun, Generation } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { endGeneration } from './outcome.ts';
import { listJobPositions } from './output-state.ts';

/** The result of an attempt to cancel. */
export type Cancellation =
  /** `hasStopped`: some of its jobs were stopped, and their frames are not made. */
  | { outcome: 'runs_on'; hasStopped: boolean }
  /** `hasResults`: finished frames stay. `starsBack`: how many of the held stars were returned. */
  | { outcome: 'cancelled'; hasResults: boolean; starsBack: number };

/**
 * Cancels a generation and returns its stars if that is still possible: in the queue, or at an engine that can stop a
 * job. Otherwise it runs on, and its result appears in the gallery. Finished frames of a photo session stay and are
 * paid for. Throws generation_not_found, generation_forbidden, generation_finished, unavailable when the engine cannot
 * be reached.
 */
export async function cancelGeneration(
  app: AppContext,
  accountId: number,
  generationId: string,
): Promise<Cancellation> {
  const generation = await getOwnGenerationOfAnyKind(app.db, accountId, generationId);
  // Written down first, so that no job is submitted while others are stopped.
  const active = await app.db.generation.updateMany({
    where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
    data: { cancelRequestedAt: new Date() },
  });
  if (active.count === 0) throw new AppError('generation_finished');
  const { stopped, running, unreached, unmade } = await cancelJobs(app, generation);
  if (running + unreached > 0) {
    // The generation goes on without them. Otherwise they would be taken for failed and submitted again.
    for (const run of stopped) await recordCancelled(app, run, { isStopped: true });
    if (unreached > 0) throw new AppError('unavailable');
    return { outcome: 'runs_on', hasStopped: stopped.length + unmade > 0 };
  }
  const end = await endGeneration(app, generation, 'cancelled');
  if (end === 'had_ended' && !(await wasCancelled(app, generation))) throw new AppError('generation_finished');
  for (const run of stopped) await recordCancelled(app, run, { isStopped: true });
  const starsBack = generation.stars - (await getStarsSpent(app, generation.id));
  return { outcome: 'cancelled', hasResults: end === 'completed', starsBack };
}

/** The worker may see that all jobs are cancelled, and end the generation for that reason first. */
async function wasCancelled({ db }: AppContext, { id }: Generation): Promise<boolean> {
  return (await findGeneration(db, id))?.failureCode === ('cancelled' satisfies GenerationFailureCode);
}

/**
 * Asks the engine to stop the jobs. `running`, `unreached`: how many run on, and of how many nobody knows. `unmade`:
 * how many wait to be submitted, which they no longer are.
 */
async function cancelJobs(
  app: AppContext,
  generation: Generation,
): Promise<{ stopped: EngineRun[]; running: number; unreached: number; unmade: number }> {
  const { id } = generation;
  const engine = app.engines.find(generation.engine);
  const stopped: EngineRun[] = [];
  let [running, unreached] = [0, 0];
  const attempts = await listAttempts(app, id);
  for (const { latest } of attempts.values()) {
    if (latest.status !== 'submitted') continue;
    try {
      if ((await engine?.cancel?.(jobOf(latest))) === 'cancelled') stopped.push(latest);
      else running++;
    } catch (error) {
      app.log.warn({ err: error, generationId: id, runId: latest.id }, 'a job could not be stopped');
      unreached++;
    }
  }
  const positions = engine ? listJobPositions(engine, generation) : [];
  const unmade = positions.filter((position) => isUnmade(attempts.get(position)?.latest)).length;
  return { stopped, running, unreached, unmade };
}

/** Whether the output waits for its first job, or for another one. */
function isUnmade(latest: EngineRun | undefined): boolean {
  return !latest || latest.status === 'uncertain' || (latest.status === 'failed' && latest.shouldRetry);
}
