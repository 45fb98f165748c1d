import type { AppContext } from '#api/services/app-context.ts';
import { ACTIVE_STATUSES, GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { endGeneration } from './outcome.ts';

/** Ends every generation that is older than 30 minutes and gives its stars back; a late result is kept all the same. */
export async function failOverdueGenerations(app: AppContext): Promise<void> {
  const overdue = await app.db.generation.findMany({
    where: { status: { in: [...ACTIVE_STATUSES] }, createdAt: { lt: new Date(Date.now() - GENERATION_TIMEOUT_MS) } },
  });
  for (const generation of overdue) {
    const log = app.log.child({ generationId: generation.id });
    try {
      const outcome = await endGeneration(app, generation, 'timed_out');
      if (outcome !== 'had_ended') {
        log.error({ action: 'generation_failed', code: 'timed_out', outcome }, 'generation timed out');
      }
    } catch (error) {
      // The others must not wait for this one; the next look in a minute tries again.
      log.error({ err: error }, 'an overdue generation could not be ended');
    }
  }
}
