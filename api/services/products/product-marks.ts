import type { Db, Tx } from '#api/database/database.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';

/** The products of photos, results or generations, by product id. One statement, or none where nothing has a product. */
export async function listProductMarks(
  db: Db | Tx,
  rows: readonly { productId: string | null }[],
): Promise<ReadonlyMap<string, ProductMark>> {
  const ids = new Set(rows.flatMap(({ productId }) => productId ?? []));
  if (ids.size === 0) return new Map();
  const products = await db.product.findMany({ where: { id: { in: [...ids] } }, select: { id: true, article: true } });
  return new Map(products.map((product) => [product.id, product]));
}

/** The product of one photo, result or generation. Null without one. */
export async function findProductMark(db: Db | Tx, row: { productId: string | null }): Promise<ProductMark | null> {
  return (await listProductMarks(db, [row])).get(row.productId ?? '') ?? null;
}
