import { useEffect, useRef } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import type { PagedList } from '#pwa/client/use-known-list.ts';
import { RetryNotice } from './retry-notice.tsx';
import { StitchProgress } from './stitch-progress.tsx';

/** The next page is fetched this far before the end of the list, in pixels. */
const AHEAD_PX = 1500;

/** The end of a list. Fetches the next page when it comes near the screen. */
export function LoadMore({ list }: { list: PagedList }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasMore, isFetching, fetchMore, moreError } = list;
  const canAsk = hasMore && !isFetching && !moreError;
  useEffect(() => {
    if (!end.current || !canAsk) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchMore(), {
      rootMargin: `${AHEAD_PX}px 0px`,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canAsk, fetchMore]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="mt-8 min-h-11">
      {list.isFetchingMore && <StitchProgress label="Загружаем ещё" className="max-w-40 mx-auto" />}
      {moreError && !list.isFetchingMore && (
        <RetryNotice tone="warning" title="Не удалось загрузить продолжение" onRetry={fetchMore}>
          {describeError(moreError, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      )}
    </div>
  );
}
