import type { AppContext } from '#api/app-context.ts';
import { sendNudge } from '#api/nudges.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';

const ENDED = ['completed', 'failed'] as const satisfies GenerationStatus[];

/**
 * Notes that the person has seen how these generations ended, or all of theirs: no other channel tells it any more.
 * What still runs stays unseen.
 */
export async function markSeen(
  app: Pick<AppContext, 'db'>,
  accountId: number,
  generationIds?: string[],
): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const { count } = await tx.generation.updateMany({
      where: {
        accountId,
        seenAt: null,
        status: { in: [...ENDED] },
        ...(generationIds ? { id: { in: generationIds } } : {}),
      },
      data: { seenAt: new Date() },
    });
    if (count > 0) await sendNudge(tx, { accountId, event: 'generation' });
  });
}

/** Ended generations whose end the person has not seen: the number on the app's icon. */
export function countUnseen(app: Pick<AppContext, 'db'>, accountId: number): Promise<number> {
  return app.db.generation.count({ where: { accountId, seenAt: null, status: { in: [...ENDED] } } });
}
