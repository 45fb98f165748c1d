import { useQuery } from '@tanstack/react-query';
import { ResultHistory } from '#pwa/features/generations/result-history.tsx';
import { formatClock, formatDate } from '#pwa/format.ts';
import { type ShownVideo, showFromHistory } from './shown-video.ts';
import { type PlayableVideo, videosQuery } from './video-queries.ts';

export interface VideoHistoryProps {
  shownVideoId: string | null;
  onChoose: (video: ShownVideo) => void;
}

/** The finished videos. A press plays one on the stage. */
export function VideoHistory({ shownVideoId, onChoose }: VideoHistoryProps) {
  const videos = useQuery(videosQuery);
  return (
    <ResultHistory
      query={videos}
      entries={videos.data?.map((video) => ({
        id: video.videoId,
        pictureUrl: video.thumbnail ?? video.posterUrl,
        name: nameVideo(video),
        mark: <span className="tag plate num">{formatClock(Math.round(video.duration))}</span>,
        onChoose: () => onChoose(showFromHistory(video)),
      }))}
      shownId={shownVideoId}
      emptyText="Здесь появятся готовые видео"
    />
  );
}

function nameVideo(video: PlayableVideo): string {
  const { createdAt, duration } = video;
  const parts = ['Видео', video.title, formatDate(createdAt), formatClock(Math.round(duration))];
  return parts.filter(Boolean).join(', ');
}
