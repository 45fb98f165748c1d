import { createRowId, type Db, type Tx } from '#api/database/database.ts';
import { articleKey, guessArticle } from '#shared/rules/articles.ts';

/** What a new photo says of its product: the one that has the guessed article already, otherwise the guess. */
export interface ArticleGuess {
  productId: string | null;
  guessedArticle: string | null;
}

/** Guesses the article of a photo from the name of its file, otherwise from that of its folder. */
export async function guessProduct(
  db: Db | Tx,
  accountId: number,
  file: { name: string; folder: string | null },
): Promise<ArticleGuess> {
  const guessed = guessArticle(file.name, file.folder);
  if (guessed === null) return { productId: null, guessedArticle: null };
  const known = await db.product.findUnique({
    where: { accountId_articleKey: { accountId, articleKey: articleKey(guessed) } },
    select: { id: true },
  });
  return known ? { productId: known.id, guessedArticle: null } : { productId: null, guessedArticle: guessed };
}

/** The id of the product with this article, which is created if there is none. */
export async function ensureProduct(tx: Tx, accountId: number, article: string): Promise<string> {
  // An update that changes nothing, because a conflict alone would return no row.
  const [{ id }] = await tx.$queryRaw<[{ id: string }]>`
    insert into products (id, account_id, article, article_key)
    values (${createRowId()}::uuid, ${accountId}, ${article}, ${articleKey(article)})
    on conflict (account_id, article_key) do update set article_key = excluded.article_key
    returning id`;
  return id;
}

/** Gives a photo the product that its guess names, if it has one still. */
export async function acceptGuess(tx: Tx, accountId: number, photoId: string): Promise<void> {
  const photo = await tx.photo.findUnique({ where: { id: photoId }, select: { guessedArticle: true } });
  if (!photo?.guessedArticle) return;
  const productId = await ensureProduct(tx, accountId, photo.guessedArticle);
  await tx.photo.updateMany({ where: { id: photoId }, data: { productId, guessedArticle: null } });
}
