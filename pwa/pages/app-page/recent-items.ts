import type { PlayableVideo } from '#pwa/features/videos/video-queries.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import { picturePath, resultPath } from '#shared/rules/result-links.ts';

export const RECENT_SHOWN = 6;

/** A result in the row of newest results. */
export interface RecentItem {
  id: string;
  kind: 'video' | 'image';
  /** The page that shows it. */
  path: string;
  title: string;
  /** Null shows a silhouette. */
  pictureUrl: string | null;
  createdAt: string;
}

/** The newest results of all kinds, newest first, chosen from the newest videos and images. */
export function pickRecentItems(videos: readonly PlayableVideo[], images: readonly GalleryImage[]): RecentItem[] {
  return [...videos.map(toVideo), ...images.map(toImage)]
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, RECENT_SHOWN);
}

function toVideo(video: PlayableVideo): RecentItem {
  const { id, generationId, thumbnail, posterUrl, createdAt } = video;
  return {
    id,
    kind: 'video',
    path: resultPath('video', generationId),
    title: video.title,
    pictureUrl: thumbnail ?? posterUrl,
    createdAt,
  };
}

function toImage(image: GalleryImage): RecentItem {
  const { id, thumbnailUrl, createdAt } = image;
  return { id, kind: 'image', path: picturePath(id), title: image.title, pictureUrl: thumbnailUrl, createdAt };
}
