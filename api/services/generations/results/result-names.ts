import type { Db, Tx } from '#api/database/database.ts';
import { findProductMark, listProductMarks } from '#api/services/products/product-marks.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import { nameFile } from '#shared/rules/download-names.ts';
import {
  type NamedResult,
  namePhotoStem,
  nameResult,
  nameResultStem,
  numberingKey,
} from '#shared/rules/result-names.ts';
import type { ResultKind } from '#shared/rules/tools.ts';
import { copyOrigin, madeOf } from './result-origins.ts';

const NAME_WITHOUT_PHOTO = 'Фото';

/** The fields of a result that its name is made from, beside its product. */
type NamedRow = Pick<
  Result,
  'title' | 'photoName' | 'kind' | 'made' | 'number' | 'position' | 'contentType' | 'productId'
>;

/** What a result is called, for people and as a file. `product`: the one that `productId` names. */
export function presentName(row: NamedRow, product: ProductMark | null): ResultName {
  const named = toNamed(row, product);
  return {
    title: nameResult(named),
    isRenamed: row.title !== null,
    fileName: nameFile(nameResultStem(named), row.contentType),
    product,
    photoName: row.photoName,
    number: row.number,
    position: row.position,
  };
}

/** What the rules for names take. */
export function toNamed(row: NamedRow, product: Pick<ProductMark, 'article'> | null): NamedResult {
  return { ...row, article: product?.article ?? null, made: madeOf(row) };
}

/** What one result is called. */
export async function findName(db: Db | Tx, row: NamedRow): Promise<ResultName> {
  return presentName(row, await findProductMark(db, row));
}

/** Results with what they are called. */
export async function withNames<Row extends NamedRow>(
  db: Db | Tx,
  rows: readonly Row[],
): Promise<(Row & { name: ResultName })[]> {
  const products = await listProductMarks(db, rows);
  return rows.map((row) => ({ ...row, name: presentName(row, products.get(row.productId ?? '') ?? null) }));
}

/**
 * The fields of new results that they are called by. Results of one generation have the same number, unless their owner
 * has moved one to another product.
 */
export async function nameNewResults(
  tx: Tx,
  generation: Pick<Generation, 'id' | 'accountId' | 'kind' | 'settings' | 'createdAt' | 'productId'>,
): Promise<Pick<Result, 'productId' | 'photoName' | 'number'>> {
  const { id: generationId, accountId, productId } = generation;
  const earlier = await tx.result.findFirst({
    where: { generationId, productId },
    select: { productId: true, photoName: true, number: true },
  });
  if (earlier) return earlier;
  // A late result may come after its owner has deleted the photo.
  const photo = await tx.photo.findFirst({
    where: { usedBy: { some: { generationId, position: 0 } } },
    select: { name: true },
  });
  const photoName = namePhotoStem(photo?.name ?? NAME_WITHOUT_PHOTO);
  const product = await findProductMark(tx, { productId });
  const { made } = copyOrigin(generation);
  return {
    productId,
    photoName,
    number: await takeNumber(tx, accountId, { made, photoName, article: product?.article }),
  };
}

/** The next number for results of this name and kind. None is given twice. */
export async function takeNumber(
  tx: Tx,
  accountId: number,
  { made, photoName, article }: { made: ResultKind; photoName: string; article: string | undefined },
): Promise<number> {
  const nameKey = numberingKey({ article: article ?? null, photoName });
  const [{ last }] = await tx.$queryRaw<[{ last: number }]>`
    insert into result_numbers (account_id, name_key, made, last) values (${accountId}, ${nameKey}, ${made}, 1)
    on conflict (account_id, name_key, made) do update set last = result_numbers.last + 1
    returning last`;
  return last;
}
