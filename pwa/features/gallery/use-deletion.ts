import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { deleteGalleryItem, restoreGalleryItem } from '#shared/contract/gallery.ts';
import type { GalleryItem } from './gallery-item.ts';
import { DELETE_TEXTS } from './gallery-texts.ts';

export interface Deletion {
  /** Results deleted on this page. An answer that was already on its way may still contain them. */
  hiddenIds: ReadonlySet<string>;
  /** The result whose deletion is in progress. */
  deletingId: string | null;
  remove: (item: GalleryItem) => void;
}

/** Deletes a result and offers to restore it. A restored result returns to its place. */
export function useDeletion(onRemoved: (item: GalleryItem) => void): Deletion {
  const queryClient = useQueryClient();
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set());
  const putBack = useRef(new Map<string, () => void>());
  const setHidden = (item: GalleryItem, isHidden: boolean) => {
    const { id, kind } = item;
    setHiddenIds((ids) => (isHidden ? new Set([...ids, id]) : new Set([...ids].filter((other) => other !== id))));
    // The shown lists are already right. Others are refetched when they are opened.
    const queryKey = kind === 'image' ? QUERY_KEYS.gallery : QUERY_KEYS.videos;
    if (isHidden) putBack.current.set(id, takeFromLists(queryClient, queryKey, id));
    else putBack.current.get(id)?.();
    if (!isHidden) putBack.current.delete(id);
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  };

  const restoring = useMutation({
    mutationFn: ({ id }: GalleryItem) => callApi(restoreGalleryItem, { params: { id } }),
    onSuccess: (_, item) => {
      setHidden(item, false);
      toast({ title: DELETE_TEXTS[item.kind].restored, tone: 'success' });
    },
    onError: (error, item) =>
      toast({
        title: DELETE_TEXTS[item.kind].restoreFailed,
        description: describeError(error, 'Попробуйте ещё раз'),
        tone: 'danger',
        action: { label: 'Повторить', onSelect: () => restoring.mutate(item) },
      }),
  });
  const removing = useMutation({
    mutationFn: ({ id }: GalleryItem) => callApi(deleteGalleryItem, { params: { id } }),
    onSuccess: (_, item) => {
      setHidden(item, true);
      onRemoved(item);
      toast({
        title: DELETE_TEXTS[item.kind].done,
        action: { label: 'Отменить', onSelect: () => restoring.mutate(item) },
      });
    },
    onError: (error, item) =>
      toast({
        title: DELETE_TEXTS[item.kind].failed,
        description: describeError(error, 'Попробуйте ещё раз'),
        tone: 'danger',
      }),
  });
  return {
    hiddenIds,
    deletingId: removing.isPending ? removing.variables.id : null,
    remove: removing.mutate,
  };
}

/** The shapes of the lists under the two keys: the videos, and pages of either kind. */
type KnownList = Item[] | InfiniteData<{ images: Item[] } | { videos: Item[] }>;
type Item = { id: string };

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
  const pages = list.pages.map((page) =>
    'images' in page ? { ...page, images: others(page.images) } : { ...page, videos: others(page.videos) },
  );
  return { ...list, pages };
}
