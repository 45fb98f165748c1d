import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
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
import type { GalleryImage } from '#shared/contract/gallery.ts';
import { listVideos, type Video } from '#shared/contract/videos.ts';
import { type GalleryItem, toImageItem, toVideoItem } from './gallery-item.ts';

/** Items by their answers: what has not changed is the same object, and its card is not rendered again. */
const images = new WeakMap<GalleryImage, GalleryItem>();
const videos = { paid: new WeakMap<Video, GalleryItem>(), free: new WeakMap<Video, GalleryItem>() };

function toKnownImage(image: GalleryImage): GalleryItem {
  const item = images.get(image) ?? toImageItem(image);
  images.set(image, item);
  return item;
}

function toKnownVideo(video: Video, canDownload: boolean): GalleryItem | [] {
  const known = canDownload ? videos.paid : videos.free;
  const item = known.get(video) ?? toVideoItem(video, canDownload);
  if (item) known.set(video, item);
  return item ?? [];
}

export interface GalleryList extends KnownList {
  /** What is loaded so far; null before the first answer. */
  items: GalleryItem[] | null;
}

export interface ImageList extends GalleryList {
  /** Null while unknown. */
  canDownloadOriginals: boolean | null;
}

/** `isEnabled`: whether it is shown. */
export function useImageList(filter: GalleryFilter, isEnabled: boolean): ImageList {
  const options = galleryQuery(filter);
  const query = useInfiniteQuery({ ...options, enabled: isEnabled });
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.images.map(toKnownImage)) ?? null, [query.data]);
  return { ...useKnownList(query, options.queryKey), items, canDownloadOriginals: readRight(query) };
}

/**
 * Images and videos together. `isEnabled`: whether it is shown. `isPrevious`: the list of another search is shown until
 * this one has come.
 */
export function useResultList(filter: ResultFilter, isEnabled: boolean): ImageList & { isPrevious: boolean } {
  const options = resultsQuery(filter);
  const query = useInfiniteQuery({ ...options, enabled: isEnabled, placeholderData: keepPreviousData });
  const canDownload = readRight(query);
  const items = useMemo(
    () =>
      query.data?.pages.flatMap((page) =>
        page.items.flatMap((item) =>
          item.kind === 'image' ? toKnownImage(item.image) : toKnownVideo(item.video, canDownload ?? false),
        ),
      ) ?? null,
    [query.data, canDownload],
  );
  return {
    ...useKnownList(query, options.queryKey),
    items,
    canDownloadOriginals: canDownload,
    isPrevious: query.isPlaceholderData,
  };
}

function readRight({
  data,
}: {
  data: { pages: { userStatus: { canDownloadOriginals: boolean } }[] } | undefined;
}): boolean | null {
  return data?.pages[0]?.userStatus.canDownloadOriginals ?? null;
}

const videoPagesQuery = infiniteQueryOptions({
  queryKey: [...QUERY_KEYS.videos, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    callApi(listVideos, { query: { limit: GALLERY_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'first_page' },
});

export function useVideoList(canDownload: boolean, isEnabled: boolean): GalleryList {
  const query = useInfiniteQuery({ ...videoPagesQuery, enabled: isEnabled });
  const items = useMemo(
    () => query.data?.pages.flatMap((page) => page.videos.flatMap((video) => toKnownVideo(video, canDownload))) ?? null,
    [query.data, canDownload],
  );
  return { ...useKnownList(query, videoPagesQuery.queryKey), items };
}
