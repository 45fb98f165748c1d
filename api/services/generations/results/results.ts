import type { Db, Tx } from '#api/database/database.ts';
import { selectFields } from '#api/database/select-fields.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type OwnedNoun, refuseUnknown, requireOwn } from '#api/services/core/ownership.ts';
import { matchWords } from '#api/services/core/text-search.ts';
import { Prisma, type Result } from '#prisma/generated/client.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { listKindsMaking, RESULT_KINDS, RESULT_WORDS, TOOLS } from '#shared/rules/tools.ts';
import { findGeneration, getOwnGenerationOfAnyKind } from './find-generation.ts';
import { ensureWatermarkedImage, ensureWatermarkedPoster, ensureWatermarkedThumbnail } from './watermarked-copies.ts';

/** Position of one file of a generation. */
interface ResultPlace {
  generationId: string;
  position: number;
}

/** A visible file of this account. Throws `<noun>_not_found`, `<noun>_forbidden`. */
export async function getOwnResult(
  db: Db | Tx,
  accountId: number,
  place: ResultPlace,
  noun: OwnedNoun = 'generation',
): Promise<Result> {
  const result = await getPlaced(db, accountId, place, noun);
  return result.deletedAt ? refuseUnknown(noun) : result;
}

/** A visible picture of this account. Throws `<noun>_not_found`, `<noun>_forbidden`. */
export async function getOwnImage(
  db: Db | Tx,
  accountId: number,
  place: ResultPlace,
  noun: OwnedNoun = 'generation',
): Promise<Result> {
  const result = await getOwnResult(db, accountId, place, noun);
  return isPicture(result) ? result : refuseUnknown(noun);
}

/** A file that its owner has deleted and can still restore. Throws generation_not_found, generation_forbidden. */
export async function getDeletedResult(db: Db | Tx, accountId: number, place: ResultPlace): Promise<Result> {
  const result = await getPlaced(db, accountId, place, 'generation');
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

async function getPlaced(
  db: Db | Tx,
  accountId: number,
  { generationId, position }: ResultPlace,
  noun: OwnedNoun,
): Promise<Result> {
  const where = { generationId_position: { generationId, position } };
  const result = isUuid(generationId) ? await db.result.findUnique({ where }) : null;
  // Without a file, the generation tells whose it is.
  if (!result) await getOwnGenerationOfAnyKind(db, accountId, generationId, noun);
  return requireOwn(noun, accountId, result);
}

export function isPicture({ contentType }: Pick<Result, 'contentType'>): boolean {
  return contentType.startsWith('image/');
}

/** Results are identified as in the interface: an image by its own id, a video by its generation's id. */
function whereItems(ids: string[]): Prisma.ResultWhereInput {
  return {
    OR: [
      { id: { in: ids }, kind: { in: listKindsMaking('picture') } },
      { generationId: { in: ids }, kind: { in: listKindsMaking('video') } },
    ],
  };
}

/** A result by its id in the interface. Throws ITEM_REFUSALS. */
export async function getOwnItem(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const result = await getKeptItem(db, accountId, id);
  return result.deletedAt ? refuseItem(result) : result;
}

/** Results by their ids in the interface, each once, in this order. Throws ITEM_REFUSALS. */
export async function listOwnItems(db: Db | Tx, accountId: number, ids: readonly string[]): Promise<Result[]> {
  const asked = [...new Set(ids)];
  const found = await db.result.findMany({
    where: { ...whereItems(asked.filter(isUuid)), accountId, deletedAt: null },
  });
  const own = new Map(found.map((result) => [isPicture(result) ? result.id : result.generationId, result]));
  const results: Result[] = [];
  // What is not there is looked for once more, to say why.
  for (const id of asked) results.push(own.get(id.toLowerCase()) ?? (await getOwnItem(db, accountId, id)));
  return results;
}

/** A result by its id in the interface, also one that is deleted but not removed yet. Throws ITEM_REFUSALS. */
export async function getKeptItem(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const found = isUuid(id) ? await db.result.findFirst({ where: whereItems([id]) }) : null;
  if (found) return requireOwn(nameItem(found), accountId, found);
  // A video that is still being made, or is gone, has an owner too.
  const generation = isUuid(id) ? await findGeneration(db, id) : null;
  return refuseItem(requireOwn(generation ? nameItem(generation) : 'image', accountId, generation));
}

/** Refuses a result of the caller that is no longer available, or not yet. */
export function refuseItem(item: { kind: GenerationKind }): never {
  return refuseUnknown(nameItem(item));
}

function nameItem({ kind }: { kind: GenerationKind }): OwnedNoun {
  return listKindsMaking('video').includes(kind) ? 'video' : 'image';
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
  /** Only these. Absent for all. */
  found?: Finding;
}

/**
 * How many results a search looks at in one call. On two cores that takes 50 ms, and 200 ms with eight words of which seven
 * stand in all of them.
 */
export const SEARCHED_AT_ONCE = 25_000;

interface Finding {
  productId?: string | undefined;
  /** Each stands in the article or the name of the product, in the result's own name, its photo's, or its tool's. */
  words: readonly string[];
  /** SEARCHED_AT_ONCE, or fewer in tests. */
  lookedAt: number;
}
const NOTHING_SOUGHT: Finding = { words: [], lookedAt: SEARCHED_AT_ONCE };

/** The fields of a result that lists are made from. */
const LISTED_FIELDS = [
  'id',
  'generationId',
  'kind',
  'position',
  'title',
  'productId',
  'photoName',
  'number',
  'contentType',
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
 * Visible results of an account in order of creation. Follows an index for all pictures or one for each kind, so that
 * others are never scanned and page 250 costs as much as the first. A search looks only at the next `lookedAt` ones.
 * Throws invalid_request for an invalid cursor.
 */
export async function listResults(
  db: Db | Tx,
  accountId: number,
  { kinds, limit, ...walk }: ResultsWalk,
): Promise<ListedResult[]> {
  const { direction, rowsOf } = describeWalk(accountId, walk);
  const { words, lookedAt } = walk.found ?? NOTHING_SOUGHT;
  const isFound = matchFinding(accountId, words);
  const walks = chooseWalks(kinds).map((condition) =>
    words.length === 0
      ? Prisma.sql`(select ${LISTED_COLUMNS} ${rowsOf(condition)} limit ${limit})`
      : Prisma.sql`(
          select ${LISTED_COLUMNS} from (select * ${rowsOf(condition)} limit ${lookedAt}) as results
          where ${isFound} order by results.id ${direction} limit ${limit}
        )`,
  );
  return db.$queryRaw`
    select * from (${Prisma.join(walks, ' union all ')}) as walked order by id ${direction} limit ${limit}`;
}

/** The id of the last result that a search has looked at. The cursor of the next one; null when there are no more. */
export async function findLastLookedAt(
  db: Db | Tx,
  accountId: number,
  { found, ...walk }: Pick<ResultsWalk, 'cursor' | 'sort'> & { found: Finding },
): Promise<string | null> {
  const { rowsOf } = describeWalk(accountId, { ...walk, found });
  const last = found.lookedAt - 1;
  const rows = await db.$queryRaw<{ id: string }[]>`select id ${rowsOf('true')} offset ${last} limit 1`;
  return rows[0]?.id ?? null;
}

/** `rowsOf`: the visible results from the cursor on that meet a condition, without what a search asks of them. */
function describeWalk(accountId: number, { cursor, sort, found }: Pick<ResultsWalk, 'cursor' | 'sort' | 'found'>) {
  if (cursor !== undefined && !isUuid(cursor)) throw new AppError('invalid_request');
  const direction = Prisma.raw(sort === 'newest' ? 'desc' : 'asc');
  const beyond = cursor
    ? Prisma.sql`and id ${Prisma.raw(sort === 'newest' ? '<' : '>')} ${cursor}::uuid`
    : Prisma.empty;
  const isOfProduct = found?.productId ? Prisma.sql`and product_id = ${found.productId}::uuid` : Prisma.empty;
  return {
    direction,
    rowsOf: (condition: string) => Prisma.sql`
      from results
      where account_id = ${accountId} and ${Prisma.raw(condition)} and deleted_at is null ${beyond} ${isOfProduct}
      order by results.id ${direction}`,
  };
}

/** With constants, because PostgreSQL uses a partial index only for its very condition, not for a parameter. */
function chooseWalks(kinds: readonly GenerationKind[]): string[] {
  const pictures = listKindsMaking('picture');
  if (GENERATION_KINDS.every((kind) => kinds.includes(kind))) return ['true'];
  const isAllPictures = pictures.length === kinds.length && pictures.every((kind) => kinds.includes(kind));
  return isAllPictures ? ["kind <> 'video'"] : kinds.map((kind) => `kind = '${kind}'`);
}

const SEVERAL = GENERATION_KINDS.filter((kind) => TOOLS[kind].outputs.count > 1);
/** What a result is called, beside its product and its tool. */
const OWN_TEXTS = [
  'title',
  'photo_name',
  'number',
  `case when kind in (${SEVERAL.map((kind) => `'${kind}'`).join()}) then 'кадр ' || position + 1 end`,
];

function matchFinding(accountId: number, words: readonly string[]): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`true`;
  const matches = words.map((word) => {
    const made = RESULT_KINDS.filter((kind) => RESULT_WORDS[kind].titlePart.toLowerCase().includes(word.toLowerCase()));
    return Prisma.sql`(
      ${matchWords(OWN_TEXTS, [word])} or made = any(${made}) or product_id in (
        select id from products where account_id = ${accountId} and ${matchWords(['article', 'name'], [word])}
      )
    )`;
  });
  return Prisma.join(matches, ' and ');
}
