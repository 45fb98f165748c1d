import { infiniteQueryOptions } from '@tanstack/react-query';
import { listGallery, listResults } from '#shared/contract/gallery.ts';
import type { GalleryType } from '#shared/rules/tools.ts';
import { callApi } from './api-client.ts';
import { USER_DATA_STALE_MS } from './query-client.ts';
import { QUERY_KEYS } from './query-keys.ts';

export const GALLERY_PAGE_SIZE = 60;

export interface GalleryFilter {
  /** Null: images of every type. */
  type: GalleryType | null;
  sort: 'newest' | 'oldest';
}
export const DEFAULT_GALLERY_FILTER: GalleryFilter = { type: null, sort: 'newest' };

/** The images of the account, page by page. The gallery and the choice of a photo use it. */
export function galleryQuery({ type, sort }: GalleryFilter) {
  return infiniteQueryOptions({
    queryKey: [...QUERY_KEYS.gallery, { type, sort }],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listGallery,
        {
          query: { limit: GALLERY_PAGE_SIZE, sort, ...(type && { type }), ...(pageParam && { cursor: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: USER_DATA_STALE_MS,
    meta: { persist: 'gallery' },
  });
}

export interface ResultFilter {
  /** Id of a product. Null: results of every product and of none. */
  product: string | null;
  /** Words of articles, names and tools; '' for all. */
  search: string;
  sort: GalleryFilter['sort'];
}

/** Images and videos of the account together, page by page. */
export function resultsQuery({ product, search, sort }: ResultFilter) {
  return infiniteQueryOptions({
    queryKey: [...QUERY_KEYS.results, { product, search, sort }],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listResults,
        {
          query: {
            limit: GALLERY_PAGE_SIZE,
            sort,
            ...(product !== null && { product }),
            ...(search && { search }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: USER_DATA_STALE_MS,
    // What was searched for is not kept on the device.
    ...(search === '' && { meta: { persist: 'gallery' as const } }),
  });
}
