import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getStarsSpent } from '#api/services/stars/ledger.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { getOwnGenerationOfAnyKind } from './find-generation.ts';
import { endGeneration } from './outcome.ts';

/** The result of an attempt to cancel. */
export type Cancellation =
  | { outcome: 'runs_on' }
  /** `hasResults`: finished frames stay. `starsBack`: how many of the held stars were returned. */
  | { outcome: 'cancelled'; hasResults: boolean; starsBack: number };

/**
 * Cancels a generation and returns its stars if that is still possible: in the queue, or at an engine that can stop a
 * job. Otherwise it runs on, and its result appears in the gallery. Finished frames of a photo session stay and are
 * paid for. Throws generation_not_found, generation_forbidden, generation_finished.
 */
export async function cancelGeneration(
  app: AppContext,
  accountId: number,
  generationId: string,
): Promise<Cancellation> {
  const generation = await getOwnGenerationOfAnyKind(app.db, accountId, generationId);
  if (isFinal(generation.status)) throw new AppError('generation_finished');
  if (generation.engineJobId) {
    const outcome = (await app.engine.cancel?.(generation.engineJobId)) ?? 'runs_on';
    if (outcome === 'runs_on') return { outcome };
  }
  // The worker may start the order again before this is written. It then finds it cancelled and stops it.
  const end = await endGeneration(app, generation, 'cancelled');
  if (end === 'had_ended') throw new AppError('generation_finished');
  const starsBack = generation.stars - (await getStarsSpent(app, generation.id));
  return { outcome: 'cancelled', hasResults: end === 'completed', starsBack };
}
