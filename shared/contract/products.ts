import * as z from 'zod/mini';
import { ARTICLE_MAX_LENGTH, PRODUCT_NAME_MAX_LENGTH } from '#shared/rules/articles.ts';
import { defineEndpoint } from './endpoint.ts';
import { byId, idText, lineOfText, pageCursor, searchText } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';
import { productMark } from './product-mark.ts';

const PRODUCTS_MAX_LIMIT = 100;
/** Photos, or results, that are given to a product at once. */
export const ASSIGNED_MAX = 200;

export const product = z.extend(productMark, {
  name: z.nullable(z.string()),
  /** A thumbnail of its newest result, otherwise of its newest photo. Null without both. */
  coverUrl: z.nullable(z.string()),
  /** Numbers of its uploaded photos and visible results. */
  photos: z.int(),
  results: z.int(),
  createdAt: z.iso.datetime(),
});
export type Product = z.infer<typeof product>;

const article = lineOfText(ARTICLE_MAX_LENGTH, {
  missing: 'Введите артикул',
  tooLong: `Артикул должен быть не длиннее ${ARTICLE_MAX_LENGTH} символов`,
  unprintable: 'В артикуле есть недопустимые символы',
});
const name = z.nullable(
  lineOfText(PRODUCT_NAME_MAX_LENGTH, {
    missing: 'Введите название',
    tooLong: `Название должно быть не длиннее ${PRODUCT_NAME_MAX_LENGTH} символов`,
    unprintable: 'В названии есть недопустимые символы',
  }),
);

export const createProductBody = z.object({ article, name: z.optional(name) });
export const changeProductBody = z.object({ article: z.optional(article), name: z.optional(name) });

export const listProducts = defineEndpoint({
  method: 'GET',
  path: '/api/products',
  summary: 'Products of the account, newest first; `search` looks in articles and names',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PRODUCTS_MAX_LIMIT)), 48),
    search: searchText,
  }),
  answer: z.object({
    products: z.array(product),
    /** The `cursor` of the next page. Null at the end. */
    nextCursor: z.nullable(z.string()),
  }),
});
export const getProduct = defineEndpoint({
  method: 'GET',
  path: '/api/products/:id',
  summary: 'A product',
  access: 'account',
  params: byId,
  answer: product,
  errors: ['product_not_found', 'product_forbidden'],
});
export const createProduct = defineEndpoint({
  method: 'POST',
  path: '/api/products',
  summary: 'A new product; its article is unique in the account, whatever the case',
  access: 'account',
  body: createProductBody,
  answer: product,
  errors: ['article_taken', 'too_many_requests'],
});
export const changeProduct = defineEndpoint({
  method: 'PATCH',
  path: '/api/products/:id',
  summary: 'Changes article or name; names of its results follow',
  access: 'account',
  params: byId,
  body: changeProductBody,
  answer: product,
  errors: ['product_not_found', 'product_forbidden', 'article_taken', 'too_many_requests'],
});
/** Its results keep the names that they have. */
export const deleteProduct = defineEndpoint({
  method: 'DELETE',
  path: '/api/products/:id',
  summary: 'Removes a product and keeps its photos and results',
  access: 'account',
  params: byId,
  errors: ['product_not_found', 'product_forbidden'],
});

/**
 * Gives photos and results to the product with this article, which is created if needed; `null` takes them out of
 * theirs. What was made from such a photo follows it. Results get the next numbers of the product. All or nothing.
 */
export const assignProduct = defineEndpoint({
  method: 'POST',
  path: '/api/products/assign',
  summary: 'Gives photos and results an article, or takes it from them',
  access: 'account',
  body: z.object({
    article: z.nullable(article),
    photoIds: z._default(z.array(idText).check(z.maxLength(ASSIGNED_MAX)), []),
    /** Ids of images and videos as the gallery has them. */
    itemIds: z._default(z.array(idText).check(z.maxLength(ASSIGNED_MAX)), []),
  }),
  answer: z.object({ product: z.nullable(productMark) }),
  errors: ['photo_not_found', 'photo_forbidden', ...ITEM_REFUSALS, 'too_many_requests'],
});
