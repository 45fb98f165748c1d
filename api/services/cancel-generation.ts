import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { failGeneration } from './generation-outcome.ts';
import { isUuid } from './uuid.ts';

/**
 * Stops a generation and gives its stars back where that is still possible: in the queue, or at an engine that can be
 * stopped. Otherwise it runs on and its result lands in the gallery. Throws generation_not_found, generation_finished.
 */
export async function cancelGeneration(
  app: AppContext,
  accountId: number,
  generationId: string,
): Promise<'cancelled' | 'runs_on'> {
  const generation = isUuid(generationId)
    ? await app.db.generation.findFirst({ where: { id: generationId, accountId } })
    : null;
  if (!generation) throw new AppError('generation_not_found');
  if (isFinal(generation.status)) throw new AppError('generation_finished');
  if (generation.engineJobId) {
    const outcome = (await app.engine.cancel?.(generation.engineJobId)) ?? 'runs_on';
    if (outcome === 'runs_on') return outcome;
  }
  // The worker may start the order again before this is written; it then finds it cancelled and stops it.
  const isStopped = await failGeneration(app, generation, 'cancelled');
  if (!isStopped) throw new AppError('generation_finished');
  return 'cancelled';
}
