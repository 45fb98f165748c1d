import { type InfiniteData, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { keepFirstPage } from './keep-first-page.ts';

export interface PagedList {
  error: Error | null;
  /** Why the next page has not come. */
  moreError: Error | null;
  isFetching: boolean;
  isFetchingMore: boolean;
  hasMore: boolean;
  fetchMore: () => void;
}

/** A list that is shown also while it cannot be fetched again. */
export interface KnownList extends PagedList {
  /** When the server last sent it, in milliseconds since 1970; 0 for never. */
  toldAt: number;
  /** Whether it could not be fetched again since. */
  isOld: boolean;
  /** Reloads from the first page. Says whether that has failed. */
  refresh: () => Promise<{ isError: boolean }>;
}

export function usePagedList(query: UseInfiniteQueryResult<InfiniteData<unknown>>): PagedList {
  const { hasNextPage, isFetching, fetchNextPage } = query;
  return {
    error: query.error,
    moreError: query.isFetchNextPageError ? query.error : null,
    isFetching,
    isFetchingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    fetchMore: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
  };
}

/** The list of a page. Once the page is left, only the first page of the list is kept. */
export function useKnownList(
  query: UseInfiniteQueryResult<InfiniteData<unknown>>,
  queryKey: readonly unknown[],
): KnownList {
  const queryClient = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(
    () => () => {
      // Otherwise the next visit would refetch every page that was ever loaded, one after the other.
      queryClient.setQueryData(JSON.parse(key), keepFirst);
      void queryClient.invalidateQueries({ queryKey: JSON.parse(key), refetchType: 'none' });
    },
    [queryClient, key],
  );
  return {
    ...usePagedList(query),
    toldAt: query.dataUpdatedAt,
    isOld: query.isRefetchError,
    refresh: () => {
      queryClient.setQueryData(JSON.parse(key), keepFirst);
      return query.refetch();
    },
  };
}

function keepFirst(data: InfiniteData<unknown> | undefined) {
  return data && keepFirstPage(data);
}
