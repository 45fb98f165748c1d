import { useInfiniteQuery } from '@tanstack/react-query';
import { galleryQuery } from '#pwa/client/gallery-query.ts';
import { type HistoryEntry, ResultHistory } from '#pwa/features/generations/result-history.tsx';
import { formatRecentDate } from '#pwa/format.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import { SESSION_TITLE } from './photosession-tool.ts';

export interface PhotosessionHistoryProps {
  shownId: string | null;
  onChoose: (generationId: string) => void;
}

/** The newest finished sessions, each by its first frame that is there. A press shows one on the stage. */
export function PhotosessionHistory({ shownId, onChoose }: PhotosessionHistoryProps) {
  const query = useInfiniteQuery(galleryQuery({ type: 'photo_generation', sort: 'newest' }));
  const frames = query.data?.pages[0]?.images;
  return (
    <ResultHistory
      query={query}
      entries={frames && listSessions(frames, onChoose)}
      shownId={shownId}
      emptyText="Здесь появятся готовые фотосессии"
    />
  );
}

/** The sessions of these frames, in the order in which their frames come. */
function listSessions(frames: readonly GalleryImage[], onChoose: (generationId: string) => void): HistoryEntry[] {
  const ids = [...new Set(frames.map(({ generationId }) => generationId))];
  return ids.map((id) => {
    const own = frames.filter(({ generationId }) => generationId === id);
    const cover = own.find(({ loss }) => !loss);
    return {
      id,
      pictureUrl: cover?.thumbnailUrl ?? null,
      isLost: !cover,
      name: `${SESSION_TITLE}, ${formatRecentDate(own[0]?.createdAt ?? '')}`,
      onChoose: () => onChoose(id),
    };
  });
}
