import type { ReactNode } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import type { PagedList } from './use-paged-list.ts';

export interface ListViewProps<Item extends { id: string | number }> {
  list: PagedList<Item>;
  /** Read out by screen readers. */
  label: string;
  emptyTitle: string;
  emptyText: string;
  /** The content of one row. */
  children: (item: Item) => ReactNode;
}

/** A list of the panel in all its states. */
export function ListView<Item extends { id: string | number }>({
  list,
  label,
  emptyTitle,
  emptyText,
  children,
}: ListViewProps<Item>) {
  const { items, failureText } = list;
  if (items === null && !failureText) return <Skeleton className="h-[320px]" />;
  return (
    <div className="grid gap-4">
      {failureText && (
        <RetryNotice title="Не удалось загрузить список" onRetry={list.refresh}>
          {failureText}
        </RetryNotice>
      )}
      {items?.length === 0 && <EmptyState title={emptyTitle} text={emptyText} />}
      {items && items.length > 0 && (
        <ul className="panel divide-y divide-line text-sm" aria-label={label}>
          {items.map((item) => (
            <li key={item.id} className="p-4 grid gap-x-4 gap-y-1.5 md:items-center md:grid-flow-col md:auto-cols-fr">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
      {list.hasMore && (
        <Button
          variant="second"
          className="justify-self-center"
          loading={list.isFetching}
          loadingText="Загружаем…"
          onClick={list.fetchMore}
        >
          Показать ещё
        </Button>
      )}
    </div>
  );
}
