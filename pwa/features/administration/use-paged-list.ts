import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { toast } from '#pwa/components/toast.ts';

interface PagedListOptions<Page, Item> {
  /** The part of the key after `administration`. */
  queryKey: readonly (string | number | null)[];
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  getItems: (page: Page) => readonly Item[];
}

export interface PagedList<Item> {
  /** What is loaded so far; null before the first answer. */
  items: Item[] | null;
  failureText: string | null;
  isFetching: boolean;
  hasMore: boolean;
  fetchMore: () => void;
  refresh: () => void;
}

export const ADMINISTRATION_KEY = 'administration';

/** A list of the panel, loaded page by page and fetched again each time it opens. */
export function usePagedList<Page extends { nextCursor: string | null }, Item>({
  queryKey,
  fetchPage,
  getItems,
}: PagedListOptions<Page, Item>): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey: [ADMINISTRATION_KEY, ...queryKey],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
    staleTime: 0,
    gcTime: 0,
  });
  const failureText = query.error ? describeError(query.error, 'Пожалуйста, попробуйте позже') : null;
  useEffect(() => {
    if (failureText) toast({ title: 'Ошибка', description: failureText, tone: 'danger' });
  }, [failureText]);
  return {
    items: query.data?.pages.flatMap(getItems) ?? null,
    failureText,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    fetchMore: () => void query.fetchNextPage(),
    refresh: () => void query.refetch(),
  };
}

/** Returns a function that refetches all lists of the panel, for use after a change. */
export function useRefreshLists(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: [ADMINISTRATION_KEY] });
}
