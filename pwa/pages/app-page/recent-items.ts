import type { EndpointAnswer } from '#shared/contract/endpoint.ts';
import type { listResults } from '#shared/contract/gallery.ts';
import { picturePath, resultPath } from '#shared/rules/result-links.ts';

export const RECENT_SHOWN = 6;

type ListedResult = EndpointAnswer<typeof listResults>['items'][number];

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

/** The first six of these results, newest first. Frames of one photo session are one, with its first frame there. */
export function pickRecentItems(results: readonly ListedResult[]): RecentItem[] {
  const items = new Map<string, RecentItem & { position: number }>();
  for (const result of results) {
    const { generationId, position } = 'video' in result ? result.video : result.image;
    const known = items.get(generationId);
    if (!known && items.size === RECENT_SHOWN) continue;
    if (!known || position < known.position) items.set(generationId, { ...toItem(result), position });
  }
  return [...items.values()];
}

function toItem(result: ListedResult): RecentItem {
  if (result.kind === 'image') {
    const { id, title, thumbnailUrl: pictureUrl, createdAt } = result.image;
    return { id, kind: 'image', path: picturePath(id), title, pictureUrl, createdAt };
  }
  const { id, generationId, title, thumbnail, posterUrl, createdAt } = result.video;
  const path = resultPath('video', generationId);
  return { id, kind: 'video', path, title, pictureUrl: thumbnail ?? posterUrl, createdAt };
}
