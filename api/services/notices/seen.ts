import { sendAccountEvent } from '#api/database/account-events.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { NEW_RESULTS_MAX, type NewResult } from '#shared/contract/notifications.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { NOTICE_LIFETIME_MS } from './channel.ts';

const IS_RESULT = { status: 'completed', results: { some: { deletedAt: null } } } satisfies Prisma.GenerationWhereInput;
const ENDED = ['completed', 'failed'] as const satisfies GenerationStatus[];

/**
 * Records that the person has seen how these generations ended; no other channel announces it then. Running ones stay
 * unseen. Throws generation_not_found, generation_forbidden, and records none then.
 */
export async function markSeen(app: WithDb, accountId: number, generationIds: string[]): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const found = await tx.generation.findMany({
      where: { id: { in: generationIds } },
      select: { id: true, accountId: true },
    });
    const rows = new Map(found.map((row) => [row.id, row]));
    for (const id of generationIds) requireOwn('generation', accountId, rows.get(id.toLowerCase()) ?? null);
    const { count } = await tx.generation.updateMany({
      where: { accountId, seenAt: null, status: { in: [...ENDED] }, id: { in: generationIds } },
      data: { seenAt: new Date() },
    });
    if (count > 0) await sendAccountEvent(tx, { accountId, event: 'generation' });
  });
}

/**
 * Ended generations whose end the person has not seen: the number on the app's icon. One whose results are all deleted
 * cannot be seen any more. No list shows a failure, so a failure counts only as long as notices are sent.
 */
export function countUnseen(app: WithDb, accountId: number): Promise<number> {
  const isNews = { finishedAt: { gte: new Date(Date.now() - NOTICE_LIFETIME_MS) } };
  return app.db.generation.count({
    where: {
      accountId,
      seenAt: null,
      OR: [IS_RESULT, { status: 'failed', ...isNews }],
    },
  });
}

export async function listNewResults(app: WithDb, accountId: number): Promise<NewResult[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, seenAt: null, ...IS_RESULT },
    orderBy: [{ finishedAt: 'desc' }, { id: 'desc' }],
    take: NEW_RESULTS_MAX,
    select: { id: true, kind: true, settings: true, createdAt: true, finishedAt: true },
  });
  return generations.map((generation) => ({
    generationId: generation.id,
    kind: generation.kind,
    made: resultKindOf(generation),
    finishedAt: (generation.finishedAt ?? generation.createdAt).toISOString(),
  }));
}
