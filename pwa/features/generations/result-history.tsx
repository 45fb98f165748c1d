import type { ReactNode } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/format.ts';
import { LostPicture } from './loss-notice.tsx';

/** A finished generation in the history of its tool. */
export interface HistoryEntry {
  id: string;
  /** A small picture. Null shows an empty place. */
  pictureUrl: string | null;
  /** Whether its files are lost. */
  isLost?: boolean;
  /** The accessible name of its button. */
  name: string;
  /** Lies on the picture. */
  mark?: ReactNode;
  onChoose: () => void;
}

export interface ResultHistoryProps {
  /** Undefined before the first answer. */
  entries: readonly HistoryEntry[] | undefined;
  query: { isPending: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown };
  shownId: string | null;
  emptyText: string;
}

const GRID = 'grid grid-cols-3 lg:grid-cols-1 xl:grid-cols-2 gap-2';

/** The column beside a tool's stage with what it has made. A press on one shows it on the stage. */
export function ResultHistory({ entries, query, shownId, emptyText }: ResultHistoryProps) {
  return (
    <div>
      <h2 className="sec mb-3">История</h2>
      {query.isPending ? (
        <div className={GRID}>
          {[1, 2, 3].map((key) => (
            <Skeleton key={key} className="aspect-[5/6]" />
          ))}
        </div>
      ) : !entries ? (
        <RetryNotice title="Ошибка загрузки" isRetrying={query.isFetching} onRetry={() => void query.refetch()}>
          {describeError(query.error, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      ) : entries.length === 0 ? (
        <p className="text-sm text-muted">{nb(emptyText)}</p>
      ) : (
        <ul className={`${GRID} lg:max-h-[500px] overflow-y-auto`}>
          {entries.map(({ id, pictureUrl, isLost = false, name, mark, onChoose }) => (
            <li key={id}>
              <button
                type="button"
                className={`pic block w-full focus-visible:-outline-offset-2 ${id === shownId ? 'outline-2 outline-ink -outline-offset-2' : ''}`}
                aria-label={name}
                aria-current={id === shownId || undefined}
                onClick={onChoose}
              >
                {isLost ? (
                  <LostPicture />
                ) : pictureUrl === null ? (
                  <span className="ph !aspect-[5/6]" />
                ) : (
                  <ResultPicture className="ph !aspect-[5/6]" url={pictureUrl} alt="" isLazy />
                )}
                {mark}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
