import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { getProduct, listProducts } from '#shared/contract/products.ts';

/** The products of the account, page by page, the newest first. `search`: words of articles and names; '' for all. */
export function productsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...QUERY_KEYS.products, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listProducts,
        { query: { ...(search && { search }), ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: USER_DATA_STALE_MS,
    ...(search === '' && { meta: { persist: 'first_page' as const } }),
  });
}

/** A product. An unknown one and a foreign one are refused. */
export function productQuery(id: string) {
  return queryOptions({
    queryKey: [...QUERY_KEYS.products, 'one', id],
    queryFn: ({ signal }) => callApi(getProduct, { params: { id } }, { signal }),
    staleTime: USER_DATA_STALE_MS,
    meta: { persist: 'whole' },
  });
}
