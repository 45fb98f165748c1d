import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { CHANGED_BY, QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { shownToast, toast } from '#pwa/components/toast.ts';
import { countResults, nb } from '#pwa/format.ts';
import { deleteGalleryItem, restoreGalleryItem } from '#shared/contract/gallery.ts';
import { doInTurn } from './do-in-turn.ts';
import type { GalleryItem } from './gallery-item.ts';
import { DELETE_TEXTS, describeRestored } from './gallery-texts.ts';

const NOTHING: ReadonlySet<string> = new Set();

export interface Deletion {
  /** Results deleted on this page. An answer that was already on its way may still contain them. */
  hiddenIds: ReadonlySet<string>;
  deletingIds: ReadonlySet<string>;
  remove: (items: readonly GalleryItem[]) => void;
}

/**
 * Deletes results and offers to restore them: also the earlier ones of a row, while their toast is shown. A restored
 * result returns to its place.
 */
export function useDeletion(onRemoved: (items: readonly GalleryItem[]) => void): Deletion {
  const queryClient = useQueryClient();
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set());
  const putBack = useRef(new Map<string, () => void>());
  const setHidden = (item: GalleryItem, isHidden: boolean) => {
    const { id, kind } = item;
    setHiddenIds((ids) => (isHidden ? new Set([...ids, id]) : new Set([...ids].filter((other) => other !== id))));
    // The shown lists are already right. Others are refetched when they are opened.
    const queryKeys = [kind === 'image' ? QUERY_KEYS.gallery : QUERY_KEYS.videos, QUERY_KEYS.results];
    if (isHidden) {
      const undo = queryKeys.map((queryKey) => takeFromLists(queryClient, queryKey, id));
      putBack.current.set(id, () => {
        for (const restore of undo) restore();
      });
    } else {
      putBack.current.get(id)?.();
      putBack.current.delete(id);
    }
    for (const queryKey of CHANGED_BY.removal) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  };

  /**
   * The results of the deletion toast that is shown. There is one toast at a time, so the next one offers all of them.
   */
  const undoable = useRef<{ toastId: number; items: GalleryItem[] } | null>(null);
  const offerUndo = (removed: readonly GalleryItem[]) => {
    const earlier = undoable.current?.toastId === shownToast.get()?.id ? (undoable.current?.items ?? []) : [];
    const items = [...earlier, ...removed];
    const toastId = toast({
      title: describeDeleted(items),
      action: { label: 'Отменить', onSelect: () => restoring.mutate(items) },
    });
    undoable.current = { toastId, items };
  };
  const restoring = useMutation({
    async mutationFn(items: GalleryItem[]) {
      const failed: GalleryItem[] = [];
      let cause: unknown;
      // The last one first, so that each finds its list as it left it.
      for (const item of [...items].reverse()) {
        try {
          await callApi(restoreGalleryItem, { params: { id: item.id } });
          setHidden(item, false);
        } catch (error) {
          failed.unshift(item);
          cause = error;
        }
      }
      return { failed, cause };
    },
    onSuccess({ failed, cause }, items) {
      const [item] = failed;
      if (!item) return toast({ title: describeRestored(items), tone: 'success' });
      toast({
        title: DELETE_TEXTS[item.kind].restoreFailed,
        description: describeError(cause, 'Попробуйте ещё раз'),
        tone: 'danger',
        action: { label: 'Повторить', onSelect: () => restoring.mutate(failed) },
      });
    },
  });
  const removing = useMutation({
    mutationFn: (items: readonly GalleryItem[]) =>
      doInTurn(items, ({ id }) => callApi(deleteGalleryItem, { params: { id } })),
    onSuccess({ done: removed, failure }) {
      for (const item of removed) setHidden(item, true);
      if (removed.length > 0) {
        onRemoved(removed);
        offerUndo(removed);
      }
      if (!failure) return;
      toast({
        title: DELETE_TEXTS[failure.item.kind].failed,
        description: describeError(failure.cause, 'Попробуйте ещё раз'),
        tone: 'danger',
      });
    },
  });
  return {
    hiddenIds,
    deletingIds: removing.isPending ? new Set(removing.variables.map(({ id }) => id)) : NOTHING,
    remove: removing.mutate,
  };
}

function describeDeleted(items: readonly GalleryItem[]): string {
  const [only, another] = items;
  return only && !another ? DELETE_TEXTS[only.kind].done : nb(`Удалено: ${countResults(items.length)}`);
}

/** The shapes of the lists under the three keys: the videos, and pages of either kind or of both. */
type KnownList = Item[] | InfiniteData<{ images: Item[] } | { videos: Item[] } | { items: MixedItem[] }>;
type Item = { id: string };
type MixedItem = { kind: 'image'; image: Item } | { kind: 'video'; video: Item };

/**
 * Takes a result out of every loaded list, and so out of the copies on the device, which the next visit shows first.
 * Returns the function that puts it back. A list that has changed in the meantime, or is being fetched, is fetched
 * again instead.
 */
export function takeFromLists(queryClient: QueryClient, queryKey: readonly string[], id: string): () => void {
  const lists = queryClient.getQueryCache().findAll({ queryKey });
  const undo = lists.flatMap(({ queryKey: key, state: { data: before, dataUpdatedAt: updatedAt } }) => {
    if (before === undefined) return [];
    const after = queryClient.setQueryData(key, withoutItem(before as KnownList, id), { updatedAt });
    return () => {
      const isAtRest = queryClient.getQueryState(key)?.fetchStatus === 'idle';
      if (isAtRest && queryClient.getQueryData(key) === after) queryClient.setQueryData(key, before, { updatedAt });
      else void queryClient.invalidateQueries({ queryKey: key, exact: true });
    };
  });
  return () => {
    for (const restore of undo) restore();
  };
}

function withoutItem(list: KnownList, id: string): KnownList {
  const others = (items: Item[]) => items.filter((item) => item.id !== id);
  if (Array.isArray(list)) return others(list);
  const pages = list.pages.map((page) => {
    if ('images' in page) return { ...page, images: others(page.images) };
    if ('videos' in page) return { ...page, videos: others(page.videos) };
    const isOther = (item: MixedItem) => (item.kind === 'image' ? item.image : item.video).id !== id;
    return { ...page, items: page.items.filter(isOther) };
  });
  return { ...list, pages };
}
