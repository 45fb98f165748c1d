import { useEffect, useMemo, useRef, useState } from 'react';
import type { GalleryItem } from './gallery-item.ts';

export interface HeldBack {
  items: GalleryItem[] | null;
  /** How many results stand before them and are not shown yet. */
  newCount: number;
  showNew: () => void;
}

/**
 * Holds back results that come before the first known one, until `showNew`. A list is known from its first answer on
 * (`isFetching`: it is on its way), so that one from memory is replaced at once. Another `listKey` begins anew.
 */
export function useHeldBack(items: GalleryItem[] | null, listKey: string, isFetching: boolean): HeldBack {
  const known = useRef({ listKey, ids: new Set<string>() });
  const [, showAgain] = useState(0);
  if (known.current.listKey !== listKey) known.current = { listKey, ids: new Set() };
  const { ids } = known.current;
  const newCount =
    ids.size === 0 || items === null
      ? 0
      : Math.max(
          0,
          items.findIndex(({ id }) => ids.has(id)),
        );
  const shown = useMemo(() => (newCount > 0 && items ? items.slice(newCount) : items), [items, newCount]);
  useEffect(() => {
    if (isFetching && ids.size === 0) return;
    for (const { id } of shown ?? []) ids.add(id);
  }, [shown, ids, isFetching]);
  return {
    items: shown,
    newCount,
    showNew() {
      for (const { id } of items ?? []) ids.add(id);
      showAgain((count) => count + 1);
    },
  };
}
