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
import { countResults, nb } from '#pwa/format.ts';
import { type DeletedItem, listDeletedItems, removeDeletedItem, restoreGalleryItem } from '#shared/contract/gallery.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import { picturePath, resultPath } from '#shared/rules/result-links.ts';
import { type DoneInTurn, doInTurn } from './do-in-turn.ts';
import { type Entry, groupFrames } from './gallery-entries.ts';
import { DELETE_TEXTS, describeRestored } from './gallery-texts.ts';

const NONE_OPENED: ReadonlySet<string> = new Set();

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

/** A deleted result, or the deleted frames of a photo session. */
export type DeletedEntry = Entry<DeletedItem & { name: ResultName }>;

/** The deleted results that can be restored, page by page. `entries` is null before the first answer. */
export function useDeletedItems(): PagedList & { entries: DeletedEntry[] | null; retry: () => void } {
  const query = useInfiniteQuery(deletedItemsQuery);
  const items = query.data?.pages.flatMap((page) => page.items.map((item) => ({ ...item, name: item }))) ?? null;
  return {
    ...usePagedList(query),
    entries: items && groupFrames(items, NONE_OPENED),
    retry: () => void query.refetch(),
  };
}

export interface DeletedItemActions {
  busyIds: ReadonlySet<string>;
  restore: (entry: DeletedEntry) => void;
  removeNow: (entry: DeletedEntry) => void;
}

/** Restores deleted results or removes them for good. `onGone` is called when they have left the list. */
export function useDeletedItemActions(onGone: () => void): DeletedItemActions {
  const queryClient = useQueryClient();
  const leaveList = (gone: readonly DeletedItem[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    queryClient.setQueryData(
      deletedItemsQuery.queryKey,
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.has(id)) })),
        },
    );
    for (const queryKey of CHANGED_BY.removal) void queryClient.invalidateQueries({ queryKey });
    onGone();
  };
  const tell = (
    { done, failure }: DoneInTurn<DeletedItem>,
    texts: { failed: 'restoreFailed' | 'failed'; onDone: (done: DeletedItem[], first: DeletedItem) => void },
  ) => {
    const [first] = done;
    if (first) {
      leaveList(done);
      texts.onDone(done, first);
    }
    if (failure) toastFailure(DELETE_TEXTS[failure.item.kind][texts.failed], failure.cause, 'Попробуйте ещё раз');
  };
  const restoring = useMutation({
    mutationFn: (entry: DeletedEntry) => doInTurn(entry, ({ id }) => callApi(restoreGalleryItem, { params: { id } })),
    onSuccess: (outcome) =>
      tell(outcome, {
        failed: 'restoreFailed',
        onDone: (done, first) =>
          toast({
            title: describeRestored(done),
            tone: 'success',
            action: { label: 'Открыть', onSelect: () => openPath(pathOf(first)) },
          }),
      }),
  });
  const removing = useMutation({
    mutationFn: (entry: DeletedEntry) => doInTurn(entry, ({ id }) => callApi(removeDeletedItem, { params: { id } })),
    onSuccess: (outcome) =>
      tell(outcome, {
        failed: 'failed',
        onDone(done, { kind }) {
          for (const { pictureUrl } of done) {
            // `/media/results/<generation>/<position>/`: what the worker has kept since before the deletion.
            const place = new URL('.', new URL(pictureUrl.replace('/deleted/', '/results/'), location.origin));
            ignoreFailure(forgetMedia(place.pathname));
          }
          toast({
            title: done.length === 1 ? DELETE_TEXTS[kind].gone : nb(`Удалено навсегда: ${countResults(done.length)}`),
          });
        },
      }),
  });
  const busyIds = new Set(
    [restoring, removing].flatMap(({ isPending, variables }) =>
      isPending && variables ? variables.map(({ id }) => id) : [],
    ),
  );
  return { busyIds, restore: restoring.mutate, removeNow: removing.mutate };
}

function pathOf({ id, kind }: DeletedItem): string {
  return kind === 'image' ? picturePath(id) : resultPath('video', id);
}
