import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import {
  GALLERY_PAGE_SIZE,
  type GalleryFilter,
  galleryQuery,
  type ResultFilter,
  resultsQuery,
} from '#pwa/client/gallery-query.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { type KnownList, useKnownList } from '#pwa/client/use-known-list.ts';
import { listVideos } from '#shared/contract/videos.ts';
import { type GalleryItem, toImageItem, toVideoItem } from './gallery-item.ts';

export interface GalleryList extends KnownList {
  /** What is loaded so far; null before the first answer. */
  items: GalleryItem[] | null;
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
    ...useKnownList(query, options.queryKey),
    items,
    canDownloadOriginals: query.data?.pages[0]?.userStatus.canDownloadOriginals ?? null,
  };
}

/** Images and videos together. */
export function useResultList(filter: ResultFilter): ImageList {
  const options = resultsQuery(filter);
  const query = useInfiniteQuery(options);
  const canDownload = query.data?.pages[0]?.userStatus.canDownloadOriginals ?? null;
  const items = useMemo(
    () =>
      query.data?.pages.flatMap((page) =>
        page.items.flatMap((item) =>
          item.kind === 'image' ? toImageItem(item.image) : (toVideoItem(item.video, canDownload ?? false) ?? []),
        ),
      ) ?? null,
    [query.data, canDownload],
  );
  return { ...useKnownList(query, options.queryKey), items, canDownloadOriginals: canDownload };
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
  return { ...useKnownList(query, videoPagesQuery.queryKey), items };
}
