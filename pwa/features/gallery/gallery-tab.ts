import type { GalleryList } from './gallery-lists.ts';

export type GalleryTab = 'images' | 'videos';

/** What is known of a list. */
type Knowledge = Pick<GalleryList, 'items' | 'error' | 'isFetching'>;

/**
 * The tab that a visit begins with: the one that has something, of two that have it the images. Null while that cannot be
 * told; a list that was kept on the device empty may have something by now.
 */
export function findFirstTab(images: Knowledge, videos: Knowledge): GalleryTab | null {
  const hasImages = hasSomething(images);
  if (hasImages !== false) return hasImages && 'images';
  const hasVideos = hasSomething(videos);
  return hasVideos === null ? null : hasVideos ? 'videos' : 'images';
}

/** A list that cannot be had is shown, so that it says so. */
function hasSomething({ items, error, isFetching }: Knowledge): boolean | null {
  if (items?.length) return true;
  if (isFetching) return null;
  if (items) return false;
  return error ? true : null;
}
