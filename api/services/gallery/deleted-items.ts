import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { BAD_CURSOR, cutPage } from '#api/services/core/cursors.ts';
import { hideForGood, removeHidden } from '#api/services/generations/results/result-files.ts';
import { withNames } from '#api/services/generations/results/result-names.ts';
import { madeOf } from '#api/services/generations/results/result-origins.ts';
import { getKeptItem, getOwnItem, isPicture, refuseItem } from '#api/services/generations/results/results.ts';
import { markSeen } from '#api/services/notices/seen.ts';
import type { Prisma, Result } from '#prisma/generated/client.ts';
import type { DeletedItem } from '#shared/contract/gallery.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';

/**
 * Hides an image or a video. Its addresses stop working at once. A generation of which nothing is left to see counts as
 * seen. Throws ITEM_REFUSALS.
 */
export async function deleteItem(app: AppContext, accountId: number, id: string): Promise<void> {
  const item = await getOwnItem(app.db, accountId, id);
  const { count } = await app.db.result.updateMany({
    where: { id: item.id, deletedAt: null },
    data: { deletedAt: new Date() },
  });
  if (count === 0) refuseItem(item);
  const { generationId } = item;
  const left = await app.db.result.count({ where: { generationId, deletedAt: null } });
  if (left === 0) await markSeen(app, accountId, [generationId]);
}

/** Restores a hidden image or video that is still stored. Does nothing to a visible one. Throws ITEM_REFUSALS. */
export async function restoreItem(app: AppContext, accountId: number, id: string): Promise<void> {
  const item = await getKeptItem(app.db, accountId, id);
  const { count } = await app.db.result.updateMany({
    where: { id: item.id, OR: [{ deletedAt: null }, whereRestorable()] },
    data: { deletedAt: null },
  });
  if (count === 0) refuseItem(item);
}

/**
 * Removes a hidden image or video with its files, before its thirty days are over. Throws ITEM_REFUSALS, also for a
 * visible one.
 */
export async function removeItem(app: AppContext, accountId: number, id: string): Promise<void> {
  const item = await getKeptItem(app.db, accountId, id);
  // From here on nobody can restore it, so no other call sees it without its files.
  if (!(await hideForGood(app.db, item.id, whereRestorable()))) refuseItem(item);
  await removeHidden(app, item);
}

interface DeletedPage {
  cursor?: string | undefined;
  limit: number;
}

/** One page of the hidden images and videos, the one deleted last first. Throws invalid_request for an invalid cursor. */
export async function listDeletedItems(app: AppContext, accountId: number, { cursor, limit }: DeletedPage) {
  const results = await app.db.result.findMany({
    where: { accountId, ...whereRestorable(), ...(cursor === undefined ? {} : whereAfter(cursor)) },
    orderBy: [{ deletedAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const { page, last } = cutPage(results, limit);
  return {
    items: (await withNames(app.db, page)).map(presentDeleted),
    nextCursor: last ? `${last.deletedAt?.getTime()}.${last.id}` : null,
  };
}

function whereRestorable() {
  return { deletedAt: { gte: new Date(Date.now() - DELETED_KEPT_MS) } } satisfies Prisma.ResultWhereInput;
}

function whereAfter(cursor: string): Prisma.ResultWhereInput {
  const [, time, id = ''] = /^(\d{1,15})\.(.{1,64})$/.exec(cursor) ?? [];
  if (!isUuid(id)) throw new AppError('invalid_request', BAD_CURSOR);
  const deletedAt = new Date(Number(time));
  return { OR: [{ deletedAt: { lt: deletedAt } }, { deletedAt, id: { lt: id } }] };
}

function presentDeleted(result: Result & { name: ResultName }): DeletedItem {
  const { id, generationId, position, name, createdAt, deletedAt, lostAt } = result;
  if (!deletedAt) throw new Error(`${id} is not deleted`);
  const isImage = isPicture(result);
  return {
    id: isImage ? id : generationId,
    kind: isImage ? 'image' : 'video',
    generationId,
    ...name,
    made: madeOf(result),
    pictureUrl: `/media/deleted/${generationId}/${position}/poster`,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt.toISOString(),
    removedAt: new Date(deletedAt.getTime() + DELETED_KEPT_MS).toISOString(),
    isLost: lostAt !== null,
  };
}
