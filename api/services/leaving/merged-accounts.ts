import type { AppContext } from '#api/services/app-context.ts';

/** An account and all that it took over: together they are what one person has. */
export async function listWithMerged(app: Pick<AppContext, 'db'>, accountIds: number[]): Promise<number[]> {
  const merged = await app.db.account.findMany({ where: { mergedIntoId: { in: accountIds } }, select: { id: true } });
  if (merged.length === 0) return accountIds;
  const more = merged.map(({ id }) => id);
  return [...accountIds, ...(await listWithMerged(app, more))];
}
