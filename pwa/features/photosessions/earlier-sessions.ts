import type { GalleryImage } from '#shared/contract/gallery.ts';

/** A finished session in the history. */
export interface EarlierSession {
  id: string;
  /** Null when all its frames are lost. */
  cover: string | null;
  createdAt: string;
}

/** The sessions of these frames, in the order in which their frames come. The first frame that is there is the cover. */
export function listEarlierSessions(images: readonly GalleryImage[]): EarlierSession[] {
  const sessions = new Map<string, EarlierSession>();
  for (const { generationId: id, thumbnailUrl, loss, createdAt } of images) {
    const known = sessions.get(id);
    sessions.set(id, {
      id,
      cover: known?.cover ?? (loss ? null : thumbnailUrl),
      createdAt: known?.createdAt ?? createdAt,
    });
  }
  return [...sessions.values()];
}
