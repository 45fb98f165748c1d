import { createRowId, type Db, findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { cutPage, parseUuidCursor } from '#api/services/core/cursors.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { matchWords, splitSearch } from '#api/services/core/text-search.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import { Prisma, type Product as ProductRow } from '#prisma/generated/client.ts';
import type { Product } from '#shared/contract/products.ts';
import { articleKey } from '#shared/rules/articles.ts';

const ARTICLE_CONSTRAINT = 'products_account_id_article_key_key';

interface ProductsPage {
  /** The id of the last product of the previous page. */
  cursor?: string | undefined;
  limit: number;
  search?: string | undefined;
}

/** One page of the products of an account, newest first. Throws invalid_request for an invalid cursor. */
export async function listProducts(
  { db }: WithDb,
  accountId: number,
  { cursor, limit, search }: ProductsPage,
): Promise<{ products: Product[]; nextCursor: string | null }> {
  const beyond = cursor === undefined ? Prisma.empty : Prisma.sql`and product.id < ${parseUuidCursor(cursor)}::uuid`;
  const isFound = matchWords(['product.article', 'product.name'], splitSearch(search));
  const found = await readProducts(
    db,
    Prisma.sql`product.account_id = ${accountId} ${beyond} and ${isFound} order by product.id desc limit ${limit + 1}`,
  );
  const { page, last } = cutPage(found, limit);
  return { products: page, nextCursor: last?.id ?? null };
}

/** A product of this account. Throws product_not_found, product_forbidden. */
export async function getProduct({ db }: WithDb, accountId: number, id: string): Promise<Product> {
  await getOwnProduct(db, accountId, id);
  return readProduct(db, id);
}

/** The row of a product of this account. Throws product_not_found, product_forbidden. */
export async function getOwnProduct(db: Db | Tx, accountId: number, id: string): Promise<ProductRow> {
  return requireOwn('product', accountId, isUuid(id) ? await db.product.findUnique({ where: { id } }) : null);
}

/** Throws article_taken. */
export async function createProduct(
  { db }: WithDb,
  accountId: number,
  { article, name = null }: { article: string; name?: string | null | undefined },
): Promise<Product> {
  const id = createRowId();
  await db.product
    .create({ data: { id, accountId, article, articleKey: articleKey(article), name } })
    .catch(explainTaken);
  return readProduct(db, id);
}

/**
 * Changes the article or the name. The results of the product are called after the new article from now on, and go on
 * to be counted. Throws product_not_found, product_forbidden, article_taken.
 */
export async function changeProduct(
  { db }: WithDb,
  accountId: number,
  id: string,
  { article, name }: { article?: string | undefined; name?: string | null | undefined },
): Promise<Product> {
  const renamed = article === undefined ? {} : { article, articleKey: articleKey(article) };
  await db
    .$transaction(async (tx) => {
      await lockBalance(tx, accountId);
      const product = await getOwnProduct(tx, accountId, id);
      await tx.product.update({ where: { id }, data: { ...renamed, ...(name === undefined ? {} : { name }) } });
      if (article !== undefined) await continueNumbers(tx, accountId, product.articleKey, articleKey(article));
    })
    .catch(explainTaken);
  return readProduct(db, id);
}

/** Results that get a new name keep their numbers, so none of them is given again under that name. */
async function continueNumbers(tx: Tx, accountId: number, fromKey: string, toKey: string): Promise<void> {
  if (fromKey === toKey) return;
  await tx.$executeRaw`
    insert into result_numbers (account_id, name_key, made, last)
    select account_id, ${toKey}, made, last from result_numbers
    where account_id = ${accountId} and name_key = ${fromKey}
    on conflict (account_id, name_key, made) do update set last = greatest(result_numbers.last, excluded.last)`;
}

/**
 * Removes a product. Its photos and results stay, and results that its owner has not renamed go on to be called after the
 * article. Throws product_not_found, product_forbidden.
 */
export async function deleteProduct({ db }: WithDb, accountId: number, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const { article } = await getOwnProduct(tx, accountId, id);
    await tx.photo.updateMany({ where: { productId: id }, data: { productId: null } });
    await tx.generation.updateMany({ where: { productId: id }, data: { productId: null } });
    await tx.result.updateMany({ where: { productId: id }, data: { productId: null, photoName: article } });
    await tx.product.delete({ where: { id } });
  });
}

function explainTaken(error: unknown): never {
  if (findViolatedConstraint(error) === ARTICLE_CONSTRAINT) throw new AppError('article_taken');
  throw error;
}

async function readProduct(db: Db, id: string): Promise<Product> {
  const [product] = await readProducts(db, Prisma.sql`product.id = ${id}::uuid`);
  if (!product) throw new AppError('product_not_found');
  return product;
}

/** `condition`: what follows `where`, also order and limit. */
async function readProducts(db: Db, condition: Prisma.Sql): Promise<Product[]> {
  const rows = await db.$queryRaw<
    (Pick<ProductRow, 'id' | 'article' | 'name' | 'createdAt'> & {
      photos: number;
      results: number;
      newestPhoto: string | null;
      newestResult: string | null;
    })[]
  >`
    select product.id, article, name, product.created_at as "createdAt",
      (select count(*)::int from photos where product_id = product.id and result_id is null) as photos,
      (select count(*)::int from results where product_id = product.id and deleted_at is null) as results,
      (
        select id::text from photos where product_id = product.id and result_id is null
        order by created_at desc limit 1
      ) as "newestPhoto",
      (
        select generation_id || '/' || position from results where product_id = product.id and deleted_at is null
          and lost_at is null
        order by id desc limit 1
      ) as "newestResult"
    from products as product where ${condition}`;
  return rows.map(({ newestPhoto, newestResult, createdAt, ...product }) => ({
    ...product,
    createdAt: createdAt.toISOString(),
    coverUrl: newestResult
      ? `/media/results/${newestResult}/thumbnail`
      : newestPhoto && `/media/photos/${newestPhoto}/thumbnail`,
  }));
}
