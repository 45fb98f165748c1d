import type { AppContext } from '#api/services/app-context.ts';

/** The accounts and all that were merged into them: together they belong to one person. */
export async function listWithMerged(app: Pick<AppContext, 'db'>, accountIds: number[]): Promise<number[]> {
  const merged = await app.db.account.findMany({ where: { mergedIntoId: { in: accountIds } }, select: { id: true } });
  if (merged.length === 0) return accountIds;
  const more = merged.map(({ id }) => id);
  return [...accountIds, ...(await listWithMerged(app, more))];
}
