import type { AppContext } from '#api/app-context.ts';
import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { Prisma, Result } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { getPremiumStatus } from './payments.ts';
import { isUuid } from './uuid.ts';
import { ensureWatermarkedImage, ensureWatermarkedPoster, ensureWatermarkedThumbnail } from './watermarked-copies.ts';

/** One file of a generation that this account owns and has not deleted. Throws generation_not_found. */
export async function getOwnResult(
  db: Db | Tx,
  accountId: number,
  { generationId, position }: { generationId: string; position: number },
): Promise<Result> {
  const result = isUuid(generationId)
    ? await db.result.findFirst({
        where: { generationId, position, accountId, deletedAt: null },
      })
    : null;
  if (!result) throw new AppError('generation_not_found');
  return result;
}

/** The same for one that is a picture. Throws generation_not_found. */
export async function getOwnImage(
  db: Db | Tx,
  accountId: number,
  place: { generationId: string; position: number },
): Promise<Result> {
  const result = await getOwnResult(db, accountId, place);
  if (!isPicture(result)) throw new AppError('generation_not_found');
  return result;
}

export function isPicture({ contentType }: Pick<Result, 'contentType'>): boolean {
  return contentType.startsWith('image/');
}

/** How the interface names results: an image by its own id, a video by its generation's. */
export function whereItem(id: string): Prisma.ResultWhereInput {
  return {
    OR: [
      { id, kind: { not: 'video' } },
      { generationId: id, kind: 'video' },
    ],
  };
}

/** A result by the id that the interface gives it. Throws image_not_found, also for one of somebody else. */
export async function getOwnItem(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const result = isUuid(id)
    ? await db.result.findFirst({ where: { AND: [whereItem(id), { accountId, deletedAt: null }] } })
    : null;
  if (!result) throw new AppError('image_not_found');
  return result;
}

/** The storage key of what this owner may see of a picture now: the original after a payment, else the copy. */
export async function selectImageKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.originalKey : ensureWatermarkedImage(app, result);
}

/** The same for its preview. */
export async function selectPosterKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.posterKey : ensureWatermarkedPoster(app, result);
}

/** The same for its thumbnail. */
export async function selectThumbnailKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.thumbnailKey : ensureWatermarkedThumbnail(app, result);
}

async function isOwnerPremium(app: AppContext, { accountId }: Result): Promise<boolean> {
  return (await getPremiumStatus(app, accountId)).isPremium;
}

interface ResultsWalk {
  accountId: number;
  kind: GenerationKind;
  /** The id of the result that the walk goes on after. */
  cursor?: string | undefined;
  limit: number;
  sort: 'newest' | 'oldest';
}

/** Results that are not deleted, a walk along one index. Throws invalid_request for a cursor that cannot be one. */
export function listResults(db: Db | Tx, { accountId, kind, cursor, limit, sort }: ResultsWalk): Promise<Result[]> {
  if (cursor !== undefined && !isUuid(cursor)) throw new AppError('invalid_request');
  const beyond = cursor && { id: sort === 'newest' ? { lt: cursor } : { gt: cursor } };
  return db.result.findMany({
    where: { accountId, kind, deletedAt: null, ...beyond },
    orderBy: { id: sort === 'newest' ? 'desc' : 'asc' },
    take: limit,
  });
}
