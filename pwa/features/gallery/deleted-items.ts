import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { GALLERY_PAGE_SIZE } from '#pwa/client/gallery-query.ts';
import { CHANGED_BY, QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { type PagedList, usePagedList } from '#pwa/client/use-known-list.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { forgetMedia } from '#pwa/device/device-owner.ts';
import { openPath } from '#pwa/device/open-path.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { type DeletedItem, listDeletedItems, removeDeletedItem, restoreGalleryItem } from '#shared/contract/gallery.ts';
import { picturePath, resultPath } from '#shared/rules/result-links.ts';
import { DELETE_TEXTS } from './gallery-texts.ts';

const deletedItemsQuery = infiniteQueryOptions({
  queryKey: QUERY_KEYS.deletedItems,
  queryFn: ({ pageParam, signal }) =>
    callApi(
      listDeletedItems,
      { query: { limit: GALLERY_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } },
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // Other pages and devices delete, too.
  staleTime: 0,
});

/** The deleted results that can be restored, page by page. `items` is null before the first answer. */
export function useDeletedItems(): PagedList & { items: DeletedItem[] | null; retry: () => void } {
  const query = useInfiniteQuery(deletedItemsQuery);
  return {
    ...usePagedList(query),
    items: query.data?.pages.flatMap(({ items }) => items) ?? null,
    retry: () => void query.refetch(),
  };
}

export interface DeletedItemActions {
  busyIds: ReadonlySet<string>;
  restore: (item: DeletedItem) => void;
  removeNow: (item: DeletedItem) => void;
}

/** Restores a deleted result or removes it for good. `onGone` is called when it has left the list. */
export function useDeletedItemActions(onGone: () => void): DeletedItemActions {
  const queryClient = useQueryClient();
  const leaveList = ({ id }: DeletedItem) => {
    queryClient.setQueryData(
      deletedItemsQuery.queryKey,
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
        },
    );
    for (const queryKey of CHANGED_BY.removal) void queryClient.invalidateQueries({ queryKey });
    onGone();
  };
  const restoring = useMutation({
    mutationFn: ({ id }: DeletedItem) => callApi(restoreGalleryItem, { params: { id } }),
    onSuccess: (_, item) => {
      leaveList(item);
      toast({
        title: DELETE_TEXTS[item.kind].restored,
        tone: 'success',
        action: { label: 'Открыть', onSelect: () => openPath(pathOf(item)) },
      });
    },
    onError: (error, item) => showFailureToast(DELETE_TEXTS[item.kind].restoreFailed, error),
  });
  const removing = useMutation({
    mutationFn: ({ id }: DeletedItem) => callApi(removeDeletedItem, { params: { id } }),
    onSuccess: (_, item) => {
      leaveList(item);
      // `/media/results/<generation>/<position>/`: what the worker has kept since before the deletion.
      const place = new URL('.', new URL(item.pictureUrl.replace('/deleted/', '/results/'), location.origin));
      ignoreFailure(forgetMedia(place.pathname));
      toast({ title: DELETE_TEXTS[item.kind].gone });
    },
    onError: (error, item) => showFailureToast(DELETE_TEXTS[item.kind].failed, error),
  });
  const busyIds = new Set(
    [restoring, removing].flatMap(({ isPending, variables }) => (isPending && variables ? [variables.id] : [])),
  );
  return { busyIds, restore: restoring.mutate, removeNow: removing.mutate };
}

function showFailureToast(title: string, error: unknown): void {
  toastFailure(title, error, 'Попробуйте ещё раз');
}

function pathOf({ id, kind }: DeletedItem): string {
  return kind === 'image' ? picturePath(id) : resultPath('video', id);
}
