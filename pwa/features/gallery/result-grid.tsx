import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { findScroll } from '#pwa/device/scroll-positions.ts';
import type { GalleryItem } from './gallery-item.ts';
import { type CardActions, ResultCard } from './result-card.tsx';

/** Few enough to render within a frame or two. Divisible by 1 to 4 columns, so that rows are full. */
const BLOCK_SIZE = 12;
/** Until a block was there once, it is taken for this high: three to six rows, less than it will be. */
const BLOCK_MIN_HEIGHT_PX = 1500;
/** Cards this far beyond the screen are rendered, in pixels. */
const KEPT_MARGIN_PX = 1500;

export interface ResultGridProps {
  items: readonly GalleryItem[];
  deletingId: string | null;
  /** Null when no selection is in progress. */
  selectedIds: ReadonlySet<string> | null;
  /** Must be the same object on every render. */
  actions: CardActions;
}

/**
 * The cards in 1 to 4 columns. Blocks come one by one, so that the page answers in between. Only those near the screen
 * keep their cards, so even ten thousand results scroll fast.
 */
export function ResultGrid({ items, ...rest }: ResultGridProps) {
  const blocks = useMemo(() => splitIntoBlocks(items), [items]);
  const addedCount = useGradualCount(blocks.length);
  return (
    <div className="grid gap-y-6">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place; its items move through it.
        <Block key={index} isAdded={index < addedCount} items={block} {...rest} />
      ))}
    </div>
  );
}

/** Splits items into blocks with full rows, whatever the number of columns. */
function splitIntoBlocks(items: readonly GalleryItem[]): GalleryItem[][] {
  const count = Math.ceil(items.length / BLOCK_SIZE);
  return Array.from({ length: count }, (_, index) => items.slice(index * BLOCK_SIZE, (index + 1) * BLOCK_SIZE));
}

/** Grows to `count` by one a frame. A person who comes back to a place further down finds all there at once. */
function useGradualCount(count: number): number {
  const location = useLocation();
  const [reached, setReached] = useState(() => (findScroll(location) ? count : 1));
  useEffect(() => {
    if (reached >= count) return;
    const frame = requestAnimationFrame(() => setReached(reached + 1));
    return () => cancelAnimationFrame(frame);
  }, [reached, count]);
  return reached;
}

const Block = memo(function Block({
  isAdded,
  items,
  deletingId,
  selectedIds,
  actions,
}: ResultGridProps & { isAdded: boolean }) {
  const element = useRef<HTMLUListElement>(null);
  const farHeightPx = useHeightWhileFar(element, isAdded);
  const emptyHeightPx = isAdded ? farHeightPx : BLOCK_MIN_HEIGHT_PX;
  if (emptyHeightPx !== null) return <ul ref={element} style={{ height: emptyHeightPx }} aria-hidden="true" />;
  return (
    <ul
      ref={element}
      className="grid grid-cols-1 min-[340px]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 gap-x-3 md:gap-x-4 gap-y-6"
    >
      {items.map((item) => (
        <li key={item.id} className="min-w-0">
          <ResultCard
            item={item}
            isDeleting={item.id === deletingId}
            isSelected={selectedIds?.has(item.id) ?? null}
            actions={actions}
          />
        </li>
      ))}
    </ul>
  );
});

/** The last height of a block far from the screen. Null while it is near, has the focus, or was never there. */
function useHeightWhileFar(element: RefObject<HTMLElement | null>, isAdded: boolean): number | null {
  const [heightPx, setHeightPx] = useState<number | null>(null);
  const isEmpty = heightPx !== null;
  // The list is a new element after it was emptied, so it is observed again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const watched = element.current;
    if (!watched || !isAdded) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (entry.isIntersecting) setHeightPx(null);
        else if (!watched.contains(document.activeElement)) setHeightPx((known) => known ?? watched.offsetHeight);
      },
      { rootMargin: `${KEPT_MARGIN_PX}px 0px` },
    );
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, isAdded, isEmpty]);
  return heightPx;
}
