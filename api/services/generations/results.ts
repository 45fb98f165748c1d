import type { Db, Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type AccountRead, readOfAccount, reviveDates, selectFields } from '#api/services/ground/account-read.ts';
import { type OwnedNoun, refuseUnknown, requireOwn } from '#api/services/ground/ownership.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import { Prisma, type Result } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { listKindsMaking } from '#shared/rules/tools.ts';
import { getOwnGenerationOfAnyKind } from './find-generation.ts';
import { ensureWatermarkedImage, ensureWatermarkedPoster, ensureWatermarkedThumbnail } from './watermarked-copies.ts';

/** Position of one file of a generation. */
interface ResultPlace {
  generationId: string;
  position: number;
}

/** What is at a place among the results of any account. */
export interface PlacedResult {
  /** Null without a file. */
  result: Result | null;
  /** The account of the generation. Null when it does not exist. */
  ownerId: number | null;
}

/** The columns of `results`, under the names of the fields. */
export const RESULT_COLUMNS = selectFields('results', Object.values(Prisma.ResultScalarFieldEnum));

/** A result that was read as JSON. */
export function reviveResult(result: Result): Result {
  return reviveDates(result, 'createdAt', 'startedAt', 'deletedAt', 'lostAt');
}

/** Reads what is at a place. Null for a text that is no id. */
export function selectResult({ generationId, position }: ResultPlace): AccountRead<PlacedResult> | null {
  if (!isUuid(generationId)) return null;
  return {
    sql: Prisma.sql`
      select json_build_object(
        'ownerId', (select account_id from generations where id = ${generationId}::uuid),
        'result', (
          select to_json(placed) from (
            select ${RESULT_COLUMNS} from results
            where generation_id = ${generationId}::uuid and position = ${position}
          ) as placed
        )
      )`,
    parse: (json) => {
      const { ownerId, result } = json as PlacedResult;
      return { ownerId, result: result && reviveResult(result) };
    },
  };
}

/** The visible file that was read, if it is this account's. Throws `<noun>_not_found`, `<noun>_forbidden`. */
export function requireResult(accountId: number, found: PlacedResult | null, noun: OwnedNoun = 'generation'): Result {
  const result = requirePlaced(accountId, found, noun);
  return result.deletedAt ? refuseUnknown(noun) : result;
}

/** The visible picture that was read. Throws as requireResult does. */
export function requireImage(accountId: number, found: PlacedResult | null, noun: OwnedNoun = 'generation'): Result {
  const result = requireResult(accountId, found, noun);
  return isPicture(result) ? result : refuseUnknown(noun);
}

/** The file that was read, if its owner has deleted it and can still restore it. Throws as requireResult does. */
export function requireDeletedResult(accountId: number, found: PlacedResult | null): Result {
  const result = requirePlaced(accountId, found, 'generation');
  return result.deletedAt && !isGone(result) ? result : refuseUnknown('generation');
}

/**
 * Whether a result was deleted so long ago that it cannot be restored, or removed by an administrator. Its owner gets
 * nothing of it by any way, although row and files stay while a running generation is made from it.
 */
export function isGone({ deletedAt }: Pick<Result, 'deletedAt'>): boolean {
  return deletedAt !== null && deletedAt.getTime() < Date.now() - DELETED_KEPT_MS;
}

/** A result as it is now. Null when it is gone. */
export async function findKeptResult(db: Db | Tx, id: string): Promise<Result | null> {
  const result = await db.result.findUnique({ where: { id } });
  return result && !isGone(result) ? result : null;
}

function requirePlaced(accountId: number, found: PlacedResult | null, noun: OwnedNoun): Result {
  // Without a file, the generation tells whose it is.
  if (found && !found.result && found.ownerId !== null) requireOwn(noun, accountId, { accountId: found.ownerId });
  return requireOwn(noun, accountId, found?.result ?? null);
}

/** What is at a place, for a door without a session. */
export async function findResult(
  app: Pick<AppContext, 'query'>,
  accountId: number,
  place: ResultPlace,
): Promise<PlacedResult | null> {
  const read = selectResult(place);
  return read && readOfAccount(app, accountId, read);
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

/** The storage key of the picture that its owner may see now: the original after a payment, otherwise the copy. */
export async function selectImageKey(app: AppContext, result: Result, isPremium: boolean): Promise<string> {
  return isPremium ? result.originalKey : ensureWatermarkedImage(app, result);
}

/** The storage key of the preview that its owner may see now: without the logo after a payment. */
export async function selectPosterKey(app: AppContext, result: Result, isPremium: boolean): Promise<string> {
  return isPremium ? result.posterKey : ensureWatermarkedPoster(app, result);
}

/** The storage key of the thumbnail that its owner may see now: without the logo after a payment. */
export async function selectThumbnailKey(app: AppContext, result: Result, isPremium: boolean): Promise<string> {
  return isPremium ? result.thumbnailKey : ensureWatermarkedThumbnail(app, result);
}

interface ResultsWalk {
  kinds: readonly GenerationKind[];
  /** The id of the last result of the previous page. */
  cursor?: string | undefined;
  limit: number;
  sort: 'newest' | 'oldest';
}

/** The fields of a result that lists are made from. */
const LISTED_FIELDS = [
  'id',
  'generationId',
  'kind',
  'position',
  'title',
  'watermarkedKey',
  'watermarkedBytes',
  'bytes',
  'width',
  'height',
  'durationSeconds',
  'hasDrifted',
  'lostAt',
  'made',
  'startedAt',
  'createdAt',
] as const satisfies (keyof Result)[];

export type ListedResult = Pick<Result, (typeof LISTED_FIELDS)[number]>;
const LISTED_COLUMNS = selectFields('results', LISTED_FIELDS);

/**
 * Reads visible results of an account in order of creation. Follows an index for all pictures or one for each kind, so
 * that others are never scanned and page 250 costs as much as the first. Null for an invalid cursor.
 */
export function selectResults({ kinds, cursor, limit, sort }: ResultsWalk): AccountRead<ListedResult[]> | null {
  if (cursor !== undefined && !isUuid(cursor)) return null;
  const direction = Prisma.raw(sort === 'newest' ? 'desc' : 'asc');
  const beyond = cursor
    ? Prisma.sql`and id ${Prisma.raw(sort === 'newest' ? '<' : '>')} ${cursor}::uuid`
    : Prisma.empty;
  const walks = chooseWalks(kinds).map(
    (condition) => Prisma.sql`(
      select ${LISTED_COLUMNS} from results
      where account_id = account.id and ${Prisma.raw(condition)} and deleted_at is null ${beyond}
      order by results.id ${direction} limit ${limit}
    )`,
  );
  return {
    sql: Prisma.sql`
      select coalesce(json_agg(listed order by id ${direction}), '[]') from (
        select * from (${Prisma.join(walks, ' union all ')}) as walked order by id ${direction} limit ${limit}
      ) as listed`,
    parse: (json) =>
      ((json ?? []) as ListedResult[]).map((row) => reviveDates(row, 'createdAt', 'startedAt', 'lostAt')),
  };
}

/** With constants, because PostgreSQL uses a partial index only for its very condition, not for a parameter. */
function chooseWalks(kinds: readonly GenerationKind[]): string[] {
  const pictures = listKindsMaking('picture');
  const isAllPictures = pictures.length === kinds.length && pictures.every((kind) => kinds.includes(kind));
  return isAllPictures ? ["kind <> 'video'"] : kinds.map((kind) => `kind = '${kind}'`);
}
