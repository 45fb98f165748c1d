import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type OwnedNoun, refuseUnknown, requireOwn } from '#api/services/ground/ownership.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import { Prisma, type Result } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { listKindsMaking } from '#shared/rules/tools.ts';
import { getOwnGenerationOfAnyKind } from './find-generation.ts';
import { ensureWatermarkedImage, ensureWatermarkedPoster, ensureWatermarkedThumbnail } from './watermarked-copies.ts';

/** Position of one file of a generation. */
interface ResultPlace {
  generationId: string;
  position: number;
}

/** One visible file of a generation of this account. Throws `<noun>_not_found`, `<noun>_forbidden`. */
export async function getOwnResult(
  db: Db | Tx,
  accountId: number,
  { generationId, position }: ResultPlace,
  noun: OwnedNoun = 'generation',
): Promise<Result> {
  const found = isUuid(generationId)
    ? await db.result.findUnique({ where: { generationId_position: { generationId, position } } })
    : null;
  // Without a file, the generation tells whose it is.
  if (!found) await getOwnGenerationOfAnyKind(db, accountId, generationId, noun);
  const result = requireOwn(noun, accountId, found);
  return result.deletedAt ? refuseUnknown(noun) : result;
}

/** The same for a picture. */
export async function getOwnImage(
  db: Db | Tx,
  accountId: number,
  place: ResultPlace,
  noun: OwnedNoun = 'generation',
): Promise<Result> {
  const result = await getOwnResult(db, accountId, place, noun);
  return isPicture(result) ? result : refuseUnknown(noun);
}

export function isPicture({ contentType }: Pick<Result, 'contentType'>): boolean {
  return contentType.startsWith('image/');
}

/** Results are identified as in the interface: an image by its own id, a video by its generation's id. */
function whereItem(id: string): Prisma.ResultWhereInput {
  return {
    OR: [
      { id, kind: { in: listKindsMaking('picture') } },
      { generationId: id, kind: { in: listKindsMaking('video') } },
    ],
  };
}

/** A result by its id in the interface. Throws image_not_found, image_forbidden. */
export async function getOwnItem(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const result = await getKeptItem(db, accountId, id);
  return result.deletedAt ? refuseUnknown('image') : result;
}

/** The same, including results that are deleted but not removed yet. */
export async function getKeptItem(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const found = isUuid(id) ? await db.result.findFirst({ where: whereItem(id) }) : null;
  // A video that is still being made already has an owner.
  if (!found) await getOwnGenerationOfAnyKind(db, accountId, id, 'image');
  return requireOwn('image', accountId, found);
}

/** The storage key of the picture that this owner may see now: the original after a payment, otherwise the copy. */
export async function selectImageKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.originalKey : ensureWatermarkedImage(app, result);
}

/** The storage key of the preview that this owner may see now: without the logo after a payment. */
export async function selectPosterKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.posterKey : ensureWatermarkedPoster(app, result);
}

/** The storage key of the thumbnail that this owner may see now: without the logo after a payment. */
export async function selectThumbnailKey(app: AppContext, result: Result): Promise<string> {
  return (await isOwnerPremium(app, result)) ? result.thumbnailKey : ensureWatermarkedThumbnail(app, result);
}

async function isOwnerPremium(app: AppContext, { accountId }: Result): Promise<boolean> {
  return (await getPremiumStatus(app, accountId)).isPremium;
}

interface ResultsWalk {
  accountId: number;
  kinds: readonly GenerationKind[];
  /** The id of the last result of the previous page. */
  cursor?: string | undefined;
  limit: number;
  sort: 'newest' | 'oldest';
}

/**
 * Visible results in order of creation. Follows an index for all pictures or one for each kind, so that others are
 * never scanned and page 250 costs as much as the first. Throws invalid_request for an invalid cursor.
 */
export async function listResults(
  db: Db | Tx,
  { accountId, kinds, cursor, limit, sort }: ResultsWalk,
): Promise<Result[]> {
  if (cursor !== undefined && !isUuid(cursor)) throw new AppError('invalid_request');
  const beyond = cursor && { id: sort === 'newest' ? { lt: cursor } : { gt: cursor } };
  const walks = isAllPictures(kinds)
    ? [await listPictures(db, { accountId, cursor, limit, sort })]
    : await Promise.all(
        kinds.map((kind) =>
          db.result.findMany({
            where: { accountId, kind, deletedAt: null, ...beyond },
            orderBy: { id: sort === 'newest' ? 'desc' : 'asc' },
            take: limit,
          }),
        ),
      );
  const direction = sort === 'newest' ? -1 : 1;
  return walks
    .flat()
    .sort((a, b) => (a.id < b.id ? -direction : direction))
    .slice(0, limit);
}

function isAllPictures(kinds: readonly GenerationKind[]): boolean {
  const pictures = listKindsMaking('picture');
  return pictures.length === kinds.length && pictures.every((kind) => kinds.includes(kind));
}

/** The columns of a result, under the names of its fields. */
const RESULT_COLUMNS = Prisma.raw(
  Object.values(Prisma.ResultScalarFieldEnum)
    .map((field) => `${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`)
    .join(', '),
);

/**
 * In SQL, because PostgreSQL uses the partial index results_pictures_idx only for its very condition. Prisma sends the
 * kind as a parameter.
 */
function listPictures(db: Db | Tx, { accountId, cursor, limit, sort }: Omit<ResultsWalk, 'kinds'>): Promise<Result[]> {
  const isNewest = sort === 'newest';
  const beyond = cursor ? Prisma.sql`and id ${Prisma.raw(isNewest ? '<' : '>')} ${cursor}::uuid` : Prisma.empty;
  return db.$queryRaw<Result[]>`
    select ${RESULT_COLUMNS} from results
    where account_id = ${accountId} and kind <> 'video' and deleted_at is null ${beyond}
    order by id ${Prisma.raw(isNewest ? 'desc' : 'asc')} limit ${limit}`;
}
