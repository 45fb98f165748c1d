import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowRight, Clapperboard, Play, Search } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import silhouette from '#pwa/assets/art/sil1.svg';
import { describeError } from '#pwa/client/api-error.ts';
import { resultsQuery } from '#pwa/client/gallery-query.ts';
import { ButtonLink } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { formatRecentDate, nb } from '#pwa/format.ts';
import { SEARCH_PATH } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { pickRecentItems, RECENT_SHOWN, type RecentItem } from './recent-items.ts';

const NEWEST_RESULTS = resultsQuery({ product: null, search: '', sort: 'newest' });

const GRID = 'grid grid-cols-3 md:grid-cols-6 gap-2 md:gap-3';

const SEARCH = 'Поиск по результатам';

export function RecentResults() {
  const { items } = useRecentItems();
  return (
    <section>
      <div className="flex items-center justify-between mb-4">
        <h2 className="sec mr-auto">Недавние результаты</h2>
        {items !== null && items.length > 0 && (
          <Link
            className="ibtn -my-2.5 mr-1"
            to={SEARCH_PATH}
            aria-label={SEARCH}
            title={SEARCH}
            onClick={holdKeyboard}
          >
            <Search className="ic" />
          </Link>
        )}
        <Link className="back" to={PATHS.gallery}>
          Галерея
          <ArrowRight className="ic ic-s" />
        </Link>
      </div>
      <Results />
    </section>
  );
}

/** The newest results of all kinds, from the list with which the gallery begins; `items` is null until it is there. */
export function useRecentItems() {
  const { data, error, isFetching, refetch } = useInfiniteQuery(NEWEST_RESULTS);
  const items = data ? pickRecentItems(data.pages[0]?.items ?? []) : null;
  return { items, error: data ? null : error, isFetching, refetch: () => void refetch() };
}

function Results() {
  const isVideoOffered = useOffered().includes('video');
  const { items, error, isFetching, refetch } = useRecentItems();
  if (error) {
    return (
      <RetryNotice title="Не удалось загрузить результаты" isRetrying={isFetching} onRetry={refetch}>
        {describeError(error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (!items) {
    return (
      <div className={GRID}>
        {Array.from({ length: RECENT_SHOWN }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <Skeleton key={index} className="aspect-[3/4]" />
        ))}
      </div>
    );
  }
  if (items.length === 0) return isVideoOffered ? <NoVideos /> : <EmptyState title="Здесь появятся ваши результаты" />;
  return (
    // A phone shows one row, so that the tools below stay in sight.
    <ul className={`${GRID} max-md:[&>li:nth-child(n+4)]:hidden`}>
      {items.map((item) => (
        <Result key={item.id} item={item} />
      ))}
    </ul>
  );
}

function NoVideos() {
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

function Result({ item: { kind, path, title, pictureUrl, createdAt } }: { item: RecentItem }) {
  return (
    <li>
      <Link to={path} className="no-underline">
        <span className="pic block">
          {pictureUrl ? (
            <ResultPicture url={pictureUrl} alt="" isLazy />
          ) : (
            <span className="ph">
              <img className="size-full object-contain sil" src={silhouette} alt="" />
            </span>
          )}
          {kind === 'video' && (
            <span className="absolute left-2 bottom-2 size-8 rounded-full bg-plate text-on-plate grid place-items-center">
              <Play className="ic ic-s" />
            </span>
          )}
        </span>
        <span className="block mt-2 text-sm font-medium num">
          <ResultTitle title={title} />
        </span>
        <span className="block text-xs text-muted num">{formatRecentDate(createdAt)}</span>
      </Link>
    </li>
  );
}

/**
 * For the link to a page that begins with a focused field. An iPhone opens its keyboard only for a focus within a press, so
 * the press gives it to a field that nobody sees, until the real one takes it.
 */
function holdKeyboard({ currentTarget }: MouseEvent): void {
  const field = document.createElement('input');
  // Smaller letters would make Safari zoom in.
  field.style.cssText = 'position:fixed;opacity:0;font-size:16px';
  field.onblur = () => field.remove();
  currentTarget.closest('main')?.append(field);
  field.focus({ preventScroll: true });
}
