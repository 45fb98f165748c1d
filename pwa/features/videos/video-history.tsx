import { useQuery } from '@tanstack/react-query';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { formatClock, formatDate, nb } from '#pwa/format.ts';
import { type ShownVideo, showFromHistory } from './shown-video.ts';
import { type PlayableVideo, videosQuery } from './video-queries.ts';

export interface VideoHistoryProps {
  shownVideoId: string | null;
  onChoose: (video: ShownVideo) => void;
}

/** The finished videos. A click plays one on the stage. */
export function VideoHistory({ shownVideoId, onChoose }: VideoHistoryProps) {
  const { data: videos, isPending, error, refetch, isFetching } = useQuery(videosQuery);
  return (
    <div>
      <h2 className="sec mb-3">История</h2>
      {isPending ? (
        <div className={GRID}>
          {[1, 2, 3].map((key) => (
            <Skeleton key={key} className="aspect-[5/6]" />
          ))}
        </div>
      ) : videos ? (
        videos.length > 0 ? (
          <ul className={`${GRID} lg:max-h-[500px] overflow-y-auto`}>
            {videos.map((video) => (
              <li key={video.videoId}>
                <Poster
                  video={video}
                  isShown={video.videoId === shownVideoId}
                  onChoose={() => onChoose(showFromHistory(video))}
                />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-sm text-muted">{nb('Здесь появятся готовые видео')}</p>
        )
      ) : (
        <div role="alert" className="text-sm">
          <p className="font-semibold">Ошибка загрузки</p>
          <p className="text-muted">{describeError(error, 'Пожалуйста, попробуйте позже')}</p>
          <Button variant="second" size="sm" className="mt-2" loading={isFetching} onClick={() => refetch()}>
            Повторить
          </Button>
        </div>
      )}
    </div>
  );
}

interface PosterProps {
  video: PlayableVideo;
  isShown: boolean;
  onChoose: () => void;
}

function Poster({ video, isShown, onChoose }: PosterProps) {
  const poster = video.thumbnail ?? video.posterUrl;
  return (
    <button
      type="button"
      className={`pic block w-full focus-visible:-outline-offset-2 ${isShown ? 'outline-2 outline-ink -outline-offset-2' : ''}`}
      aria-label={nameVideo(video)}
      aria-current={isShown || undefined}
      onClick={onChoose}
    >
      {poster ? (
        <ResultPicture className="ph !aspect-[5/6]" url={poster} alt="" isLazy />
      ) : (
        <span className="ph !aspect-[5/6]" />
      )}
      <span className="tag plate num">{formatClock(Math.round(video.duration))}</span>
    </button>
  );
}

const GRID = 'grid grid-cols-3 lg:grid-cols-1 xl:grid-cols-2 gap-2';

function nameVideo(video: PlayableVideo): string {
  const { createdAt, duration } = video;
  const parts = ['Видео', video.title, formatDate(createdAt), formatClock(Math.round(duration))];
  return parts.filter(Boolean).join(', ');
}
