import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import {
  ASSIGNED_MAX,
  assignProduct,
  changeProduct,
  createProduct,
  deleteProduct,
  type Product,
  type ProductMark,
} from '#shared/contract/products.ts';
import { productQuery } from './product-queries.ts';

/** What names a product or lists by it. */
const OF_PRODUCTS = [
  QUERY_KEYS.products,
  QUERY_KEYS.keptPhotos,
  QUERY_KEYS.results,
  QUERY_KEYS.gallery,
  QUERY_KEYS.videos,
  QUERY_KEYS.generation,
];

function useRefetchOfProducts(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of OF_PRODUCTS) void queryClient.invalidateQueries({ queryKey });
  };
}

export interface ProductWords {
  article: string;
  /** Null without one. */
  name: string | null;
}

/** Creates a product, or changes the one with this id. Refused as `article_taken` when another one has the article. */
export function useSaveProduct(id: string | null, onSaved: (product: Product) => void) {
  const queryClient = useQueryClient();
  const refetch = useRefetchOfProducts();
  return useSingleMutation({
    mutationFn: (body: ProductWords) =>
      id === null ? callApi(createProduct, { body }) : callApi(changeProduct, { params: { id }, body }),
    onSuccess: (product) => {
      queryClient.setQueryData(productQuery(product.id).queryKey, product);
      refetch();
      onSaved(product);
    },
  });
}

/** Deletes a product and keeps its photos and results. */
export function useDeleteProduct(onDeleted: (product: Product) => void) {
  const queryClient = useQueryClient();
  const refetch = useRefetchOfProducts();
  return useSingleMutation({
    mutationFn: ({ id }: Product) => callApi(deleteProduct, { params: { id } }),
    onSuccess: (_, product) => {
      onDeleted(product);
      queryClient.removeQueries({ queryKey: productQuery(product.id).queryKey });
      refetch();
    },
  });
}

export interface Assignment {
  /** Null takes photos and results out of their products. */
  article: string | null;
  photoIds: readonly string[];
  /** Ids of images and videos as the gallery has them. */
  itemIds: readonly string[];
}

/**
 * Gives photos and results to the product with this article, which is created if needed. More than the server takes at
 * once are sent in several calls: after a failure the same assignment can be sent again.
 */
export function useAssignProduct(onAssigned: (product: ProductMark | null) => void) {
  const refetch = useRefetchOfProducts();
  return useSingleMutation({
    async mutationFn({ article, photoIds, itemIds }: Assignment) {
      let product: ProductMark | null = null;
      const longest = Math.max(photoIds.length, itemIds.length);
      for (let from = 0; from < longest; from += ASSIGNED_MAX) {
        const part = (ids: readonly string[]) => ids.slice(from, from + ASSIGNED_MAX);
        const body = { article, photoIds: part(photoIds), itemIds: part(itemIds) };
        ({ product } = await callApi(assignProduct, { body }));
      }
      return product;
    },
    onSuccess: onAssigned,
    onSettled: refetch,
  });
}
