import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Clapperboard, Play } from 'lucide-react';
import { Link } from 'react-router-dom';
import silhouette from '#pwa/assets/art/sil1.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { type PlayableVideo, videosQuery } from '#pwa/features/videos/video-queries.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { formatRecentDate, nb } from '#pwa/lib/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { pluralize } from '#shared/rules/plurals.ts';

const SHOWN = 6;
const GRID = 'grid grid-cols-3 md:grid-cols-6 gap-2 md:gap-3';

export function RecentResults() {
  return (
    <section>
      <div className="flex items-center justify-between mt-10 mb-4">
        <h2 className="sec">Недавние результаты</h2>
        <Link className="back" to={PATHS.gallery}>
          Галерея
          <ArrowRight className="ic ic-s" />
        </Link>
      </div>
      <Results />
    </section>
  );
}

function Results() {
  const { data: videos, error, refetch, isFetching } = useQuery(videosQuery);
  if (error && !videos) {
    return (
      <RetryNotice title="Не удалось загрузить результаты" isRetrying={isFetching} onRetry={() => void refetch()}>
        {describeError(error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (!videos) {
    return (
      <div className={GRID}>
        {Array.from({ length: SHOWN }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <Skeleton key={index} className="aspect-[3/4]" />
        ))}
      </div>
    );
  }
  if (videos.length === 0) {
    return (
      <EmptyState
        picture={<Clapperboard className="ic ic-l" />}
        title="Здесь появятся ваши видео"
        text={nb('Загрузите фото вещи, выберите движение, и первый показ будет в этом ряду.')}
        action={
          <ButtonLink to={PATHS.createVideo} variant="second">
            Создать видео
          </ButtonLink>
        }
      />
    );
  }
  return (
    <ul className={GRID}>
      {videos.slice(0, SHOWN).map((video) => (
        <Result key={video.id} video={video} />
      ))}
    </ul>
  );
}

function Result({ video }: { video: PlayableVideo }) {
  const picture = video.thumbnail ?? video.posterUrl;
  const seconds = Math.round(video.duration);
  return (
    <li>
      <Link to={PATHS.createVideo} className="no-underline">
        <span className="pic block">
          {picture ? (
            <img className="ph" src={picture} alt="" loading="lazy" />
          ) : (
            <span className="ph">
              <img className="size-full object-contain sil" src={silhouette} alt="" />
            </span>
          )}
          <span className="absolute left-2 bottom-2 size-8 rounded-full bg-plate text-on-plate grid place-items-center">
            <Play className="ic ic-s" />
          </span>
        </span>
        <span className="block mt-2 text-sm font-medium truncate num">
          Видео, {nb(`${seconds} ${pluralize(seconds, ['секунда', 'секунды', 'секунд'])}`)}
        </span>
        <span className="block text-xs text-muted num">{formatRecentDate(video.createdAt)}</span>
      </Link>
    </li>
  );
}
