import type { GalleryList } from './gallery-lists.ts';

export type GalleryTab = 'images' | 'videos';

/** The known state of a list. */
type Knowledge = Pick<GalleryList, 'items' | 'error' | 'isFetching'>;

/**
 * The first tab of a visit: the one with results, and images if both have some. Null while that is unknown: a stored
 * empty list may have results by now.
 */
export function findFirstTab(images: Knowledge, videos: Knowledge): GalleryTab | null {
  const hasImages = hasSomething(images);
  if (hasImages !== false) return hasImages && 'images';
  const hasVideos = hasSomething(videos);
  return hasVideos === null ? null : hasVideos ? 'videos' : 'images';
}

/**
 * Whether a list counts as having something; null while unknown. A list that failed to load counts, so that its error
 * is shown.
 */
function hasSomething({ items, error, isFetching }: Knowledge): boolean | null {
  if (items?.length) return true;
  if (isFetching) return null;
  if (items) return false;
  return error ? true : null;
}
