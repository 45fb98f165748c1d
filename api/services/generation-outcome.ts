import type { AppContext } from '#api/app-context.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { captureHold, releaseHold } from './stars.ts';

export type NewResult = Omit<Prisma.ResultUncheckedCreateInput, 'generationId' | 'position'>;
type HeldGeneration = Parameters<typeof captureHold>[1];
export type CompletionOutcome = 'completed' | 'completed_free_of_charge' | 'discarded';

/**
 * Marks a generation completed, books its results and captures its hold, in one transaction. A result that comes after
 * the watchdog gave the stars back is kept free of charge; one that comes after a cancellation is discarded.
 */
export function completeGeneration(
  app: Pick<AppContext, 'db'>,
  generation: HeldGeneration,
  results: NewResult[],
): Promise<CompletionOutcome> {
  return app.db.$transaction(async (tx) => {
    const completed = { status: 'completed', finishedAt: new Date(), progressShare: 1, failureCode: null } as const;
    const inTime = await tx.generation.updateMany({
      where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
      data: completed,
    });
    if (inTime.count === 0) {
      const late = await tx.generation.updateMany({
        where: { id: generation.id, status: 'failed', failureCode: 'timed_out' satisfies GenerationFailureCode },
        data: completed,
      });
      if (late.count === 0) return 'discarded';
    }
    await tx.result.createMany({
      data: results.map((result, position) => ({ ...result, generationId: generation.id, position })),
    });
    if (inTime.count === 0) return 'completed_free_of_charge';
    await captureHold(tx, generation);
    return 'completed';
  });
}

/** Marks an active generation failed and gives its stars back, in one transaction. Returns false when it had ended. */
export function failGeneration(
  app: Pick<AppContext, 'db'>,
  generation: HeldGeneration,
  failureCode: GenerationFailureCode,
): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    const failed = await tx.generation.updateMany({
      where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
      data: { status: 'failed', finishedAt: new Date(), failureCode },
    });
    if (failed.count === 0) return false;
    await releaseHold(tx, generation);
    return true;
  });
}
