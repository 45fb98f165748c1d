import { useInfiniteQuery } from '@tanstack/react-query';
import { describeError } from '#pwa/client/api-error.ts';
import { galleryQuery } from '#pwa/client/gallery-query.ts';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { LostPicture } from '#pwa/features/generations/loss-notice.tsx';
import { formatRecentDate, nb } from '#pwa/format.ts';
import { listEarlierSessions } from './earlier-sessions.ts';
import { SESSION_TITLE } from './photosession-tool.ts';

const GRID = 'grid grid-cols-3 lg:grid-cols-1 xl:grid-cols-2 gap-2';

export interface PhotosessionHistoryProps {
  shownId: string | null;
  onChoose: (generationId: string) => void;
}

/** The newest finished sessions, each by a frame. A click shows one on the stage. */
export function PhotosessionHistory({ shownId, onChoose }: PhotosessionHistoryProps) {
  const query = useInfiniteQuery(galleryQuery({ type: 'photo_generation', sort: 'newest' }));
  const { data, isPending, error, isFetching, refetch } = query;
  const sessions = listEarlierSessions(data?.pages[0]?.images ?? []);
  return (
    <div>
      <h2 className="sec mb-3">История</h2>
      {isPending ? (
        <div className={GRID}>
          {[1, 2, 3].map((key) => (
            <Skeleton key={key} className="aspect-[5/6]" />
          ))}
        </div>
      ) : !data ? (
        <RetryNotice title="Ошибка загрузки" isRetrying={isFetching} onRetry={() => void refetch()}>
          {describeError(error, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      ) : sessions.length === 0 ? (
        <p className="text-sm text-muted">{nb('Здесь появятся готовые фотосессии')}</p>
      ) : (
        <ul className={`${GRID} lg:max-h-[500px] overflow-y-auto`}>
          {sessions.map(({ id, cover, createdAt }) => (
            <li key={id}>
              <button
                type="button"
                className={`pic block w-full focus-visible:-outline-offset-2 ${id === shownId ? 'outline-2 outline-ink -outline-offset-2' : ''}`}
                aria-label={`${SESSION_TITLE}, ${formatRecentDate(createdAt)}`}
                aria-current={id === shownId || undefined}
                onClick={() => onChoose(id)}
              >
                {cover === null ? (
                  <LostPicture />
                ) : (
                  <ResultPicture className="ph !aspect-[5/6]" url={cover} alt="" isLazy />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
