import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { GALLERY_PAGE_SIZE, type GalleryFilter, galleryQuery } from '#pwa/client/gallery-query.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { listVideos } from '#shared/contract/videos.ts';
import { type GalleryItem, toImageItem, toVideoItem } from './gallery-item.ts';

export interface PagedList {
  error: Error | null;
  /** Why the next page has not come. */
  moreError: Error | null;
  isFetching: boolean;
  isFetchingMore: boolean;
  hasMore: boolean;
  fetchMore: () => void;
}

export interface GalleryList extends PagedList {
  /** What is loaded so far; null before the first answer. */
  items: GalleryItem[] | null;
  /** When the server last sent them, in milliseconds since 1970; 0 for never. */
  toldAt: number;
  /** Whether they could not be fetched again since. */
  isOld: boolean;
  /** Reloads from the first page. Says whether that has failed. */
  refresh: () => Promise<{ isError: boolean }>;
}

export interface ImageList extends GalleryList {
  /** Null while unknown. */
  canDownloadOriginals: boolean | null;
}

export function useImageList(filter: GalleryFilter): ImageList {
  const options = galleryQuery(filter);
  const query = useInfiniteQuery(options);
  const items = useMemo(() => query.data?.pages.flatMap(({ images }) => images.map(toImageItem)) ?? null, [query.data]);
  return {
    ...useGalleryList(query, options.queryKey, items),
    canDownloadOriginals: query.data?.pages[0]?.userStatus.canDownloadOriginals ?? null,
  };
}

const videoPagesQuery = infiniteQueryOptions({
  queryKey: [...QUERY_KEYS.videos, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    callApi(listVideos, { query: { limit: GALLERY_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // The search for the first tab may have loaded an empty list. It is fetched again when the tab is opened, because
  // there may be results by then.
  staleTime: ({ state }) => (state.data?.pages[0]?.videos.length === 0 ? 0 : USER_DATA_STALE_MS),
  meta: { persist: 'first_page' },
});

export function useVideoList(canDownload: boolean, isEnabled: boolean): GalleryList {
  const query = useInfiniteQuery({ ...videoPagesQuery, enabled: isEnabled });
  const items = useMemo(
    () =>
      query.data?.pages.flatMap(({ videos }) => videos.flatMap((video) => toVideoItem(video, canDownload) ?? [])) ??
      null,
    [query.data, canDownload],
  );
  return useGalleryList(query, videoPagesQuery.queryKey, items);
}

export function usePagedList(query: UseInfiniteQueryResult<InfiniteData<unknown>>): PagedList {
  const { hasNextPage, isFetching, fetchNextPage } = query;
  return {
    error: query.error,
    moreError: query.isFetchNextPageError ? query.error : null,
    isFetching,
    isFetchingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    fetchMore: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
  };
}

function useGalleryList(
  query: UseInfiniteQueryResult<InfiniteData<unknown>>,
  queryKey: readonly unknown[],
  items: GalleryItem[] | null,
): GalleryList {
  const queryClient = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(
    () => () => {
      // Otherwise the next visit would refetch every page that was ever loaded, one after the other.
      queryClient.setQueryData(JSON.parse(key), keepFirstPage);
      void queryClient.invalidateQueries({ queryKey: JSON.parse(key), refetchType: 'none' });
    },
    [queryClient, key],
  );
  return {
    ...usePagedList(query),
    items,
    toldAt: query.dataUpdatedAt,
    isOld: query.isRefetchError,
    refresh: () => {
      queryClient.setQueryData(JSON.parse(key), keepFirstPage);
      return query.refetch();
    },
  };
}

export function keepFirstPage<Page>(data: InfiniteData<Page> | undefined): InfiniteData<Page> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}
