import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { formatLongMoment, formatNumber, nb } from '#pwa/format.ts';
import { listStarHistory, type StarHistoryEntry } from '#shared/contract/stars.ts';
import { countStars, pluralize, STAR_FORMS } from '#shared/rules/plurals.ts';
import { describeStarEntry } from './describe-star-entry.ts';

const PAGE_SIZE = 30;

export const starHistoryQuery = infiniteQueryOptions({
  queryKey: ['stars', 'history'],
  queryFn: ({ pageParam, signal }) =>
    callApi(listStarHistory, { query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // Always fetched again, because every generation adds rows.
  staleTime: 0,
});

export interface StarHistoryProps {
  /** The history is loaded again after a failure. */
  onRetry: () => void;
}

/** All rows of the ledger, newest first. */
export function StarHistory({ onRetry }: StarHistoryProps) {
  const history = useInfiniteQuery(starHistoryQuery);
  const entries = history.data?.pages.flatMap((page) => page.entries) ?? [];
  const failure = history.isError && (
    <RetryNotice
      className="mt-4"
      title={describeError(history.error, 'Не удалось загрузить историю')}
      onRetry={() => {
        void (history.isFetchNextPageError ? history.fetchNextPage() : history.refetch());
        onRetry();
      }}
    />
  );
  if (!history.data) return failure || <LoadingRows />;
  if (entries.length === 0) {
    return (
      <EmptyState
        picture={<History className="ic ic-l" />}
        title="Операций пока нет"
        text={nb('Здесь появятся подарки, покупки и списания за генерации.')}
        action={<BuyStarsButton source="star_history" />}
      />
    );
  }
  return (
    <>
      <ol className="panel divide-y divide-line">
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {failure}
      {history.hasNextPage && !history.isError && (
        <Button
          variant="second"
          className="mt-4 max-md:w-full"
          loading={history.isFetchingNextPage}
          loadingText="Загружаем…"
          onClick={() => void history.fetchNextPage()}
        >
          Показать ещё
        </Button>
      )}
    </>
  );
}

function EntryRow({ entry }: { entry: StarHistoryEntry }) {
  const { title, cause } = describeStarEntry(entry);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 md:px-5 py-3">
      <div className="min-w-0">
        <p className="font-semibold break-words">{title}</p>
        {cause && <p className="text-sm text-muted break-words">{cause}</p>}
        <p className="num text-xs text-muted mt-1">
          <time dateTime={entry.createdAt}>{formatLongMoment(entry.createdAt)}</time>
        </p>
      </div>
      <div className="num text-right">
        <p
          className={`text-lg font-semibold ${entry.delta > 0 ? 'text-success' : entry.delta < 0 ? '' : 'text-muted'}`}
        >
          {formatChange(entry.delta)}
          <span className="sr-only"> {pluralize(Math.abs(entry.delta), STAR_FORMS)}</span>
        </p>
        <p className="text-xs text-muted">
          <span className="max-md:sr-only">Баланс: </span>
          {countStars(entry.balance)}
        </p>
      </div>
    </li>
  );
}

/** «+50», «−1», «0» */
export function formatChange(delta: number): string {
  const sign = delta > 0 ? '+' : delta < 0 ? '−' : '';
  return sign + formatNumber(Math.abs(delta));
}

function LoadingRows() {
  return (
    <div className="grid gap-2" role="status" aria-label="Загружаем историю">
      {[1, 2, 3, 4, 5].map((key) => (
        <Skeleton key={key} className="h-[72px]" />
      ))}
    </div>
  );
}
