import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { CHANGED_BY } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import { assignProduct, changeProduct, createProduct, deleteProduct, type Product } from '#shared/contract/products.ts';
import { productQuery } from './product-queries.ts';

/** Has everything fetched again that shows products, or what belongs to them. */
export function useRefetchOfProducts(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of CHANGED_BY.products) void queryClient.invalidateQueries({ queryKey });
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

/** Gives photos and results to the product with this article, which is created if needed: at most ASSIGNED_MAX of each. */
export function useAssignProduct(onAssigned: (product: ProductMark | null) => void) {
  const refetch = useRefetchOfProducts();
  return useSingleMutation({
    mutationFn: ({ article, photoIds, itemIds }: Assignment) =>
      callApi(assignProduct, { body: { article, photoIds: [...photoIds], itemIds: [...itemIds] } }),
    onSuccess: ({ product }) => onAssigned(product),
    onSettled: refetch,
  });
}
