import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { noteSuccess } from '#api/services/generations/engine-health/engine-outages.ts';
import { jobOf, recordCancelled, recordSucceeded } from '#api/services/generations/engine-health/engine-runs.ts';
import type { EngineRun } from '#prisma/generated/client.ts';
import type { StepContext } from './output-state.ts';

/** Closes a run whose results have their rows. The engine may forget the job. */
export async function closeRun(
  { app, engine, task }: Pick<StepContext, 'app' | 'engine' | 'task'>,
  run: EngineRun,
): Promise<void> {
  if (run.status === 'succeeded') return;
  await recordSucceeded(app, run);
  await noteSuccess(app, engine, task.kind, run.createdAt);
  await engine.dispose(jobOf(run));
}

/** Stops a job whose result nobody waits for. */
export async function stopRun(app: AppContext, engine: GenerationEngine, run: EngineRun): Promise<void> {
  const outcome = (await engine.cancel?.(jobOf(run))) ?? 'runs_on';
  await recordCancelled(app, run, { isStopped: outcome === 'cancelled' });
  await engine.dispose(jobOf(run));
}
