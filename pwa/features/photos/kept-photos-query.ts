import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { formatBytes, nb } from '#pwa/format.ts';
import { getPhoto, type KeptPhotos, listPhotos, type PhotoOrder } from '#shared/contract/photos.ts';

const PAGE_SIZE = 48;

export interface PhotoFilter {
  order: PhotoOrder;
  /** Id of a product. Empty for all photos. */
  product?: string;
  search?: string;
}

/** The uploaded photos of the account, page by page. The newest ones, of all or of a product, are also there without a network. */
export function keptPhotosQuery({ order, product = '', search = '' }: PhotoFilter) {
  return infiniteQueryOptions({
    queryKey: [...QUERY_KEYS.keptPhotos, { order, product, search }],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        order,
        limit: PAGE_SIZE,
        ...(product && { product }),
        ...(search && { search }),
        ...(pageParam && { cursor: pageParam }),
      };
      return callApi(listPhotos, { query }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A photo may have been uploaded a moment ago.
    staleTime: 0,
    ...(order === 'newest' && search === '' && { meta: { persist: 'first_page' as const } }),
  });
}

/** An uploaded photo with the product that it has now. */
export function photoQuery(id: string) {
  return queryOptions({
    queryKey: [...QUERY_KEYS.keptPhotos, 'one', id],
    queryFn: ({ signal }) => callApi(getPhoto, { params: { id } }, { signal }),
    // Another device, or the page of the product, may have moved it a moment ago.
    staleTime: 0,
  });
}

/** «Фото: 45. Занято 120 МБ из 300 МБ.» */
export function describeRoom({ total, usedBytes, limitBytes }: KeptPhotos): string {
  return nb(`Фото: ${total}. Занято ${formatBytes(usedBytes)} из ${formatBytes(limitBytes)}.`);
}
