import type { GalleryList } from './gallery-lists.ts';

export type GalleryTab = 'images' | 'videos';

/** What is known of a list. */
type Knowledge = Pick<GalleryList, 'items' | 'error' | 'isFetching'>;

/**
 * The first tab of a visit: the one with results; if both have some, the images. Null while that is unknown; a list
 * stored as empty may have results by now.
 */
export function findFirstTab(images: Knowledge, videos: Knowledge): GalleryTab | null {
  const hasImages = hasSomething(images);
  if (hasImages !== false) return hasImages && 'images';
  const hasVideos = hasSomething(videos);
  return hasVideos === null ? null : hasVideos ? 'videos' : 'images';
}

/** A list that failed to load is shown, so that it says so. */
function hasSomething({ items, error, isFetching }: Knowledge): boolean | null {
  if (items?.length) return true;
  if (isFetching) return null;
  if (items) return false;
  return error ? true : null;
}
