import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';

/**
 * Has the batches of an account looked at after the transaction: something has ended, stars have come, or its owner has
 * given a command. Does nothing for an account without a batch that waits.
 */
export async function wakeLine({ queue }: Pick<AppContext, 'queue'>, tx: Tx, accountId: number): Promise<void> {
  const unfinished = await tx.batch.findFirst({
    where: { accountId, status: { in: ['running', 'paused'] } },
    select: { id: true },
  });
  if (unfinished) await queue.send(tx, 'advance-batches', { accountId });
}
