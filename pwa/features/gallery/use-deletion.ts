import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { deleteGalleryItem, restoreGalleryItem } from '#shared/contract/gallery.ts';
import type { GalleryItem } from './gallery-item.ts';
import { DELETE_TEXTS } from './gallery-texts.ts';

export interface Deletion {
  /** Results deleted on this page that the loaded lists still contain. */
  hiddenIds: ReadonlySet<string>;
  /** The result whose deletion is in progress. */
  deletingId: string | null;
  remove: (item: GalleryItem) => void;
}

/** Deletes a result and offers to restore it. A restored result returns to its place without refetching the lists. */
export function useDeletion(onRemoved: () => void): Deletion {
  const queryClient = useQueryClient();
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set());
  const setHidden = ({ id, kind }: GalleryItem, isHidden: boolean) => {
    setHiddenIds((ids) => (isHidden ? new Set([...ids, id]) : new Set([...ids].filter((other) => other !== id))));
    // The shown lists are already right. Others are refetched when they are opened.
    const queryKey = kind === 'image' ? QUERY_KEYS.gallery : QUERY_KEYS.videos;
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
      onRemoved();
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
