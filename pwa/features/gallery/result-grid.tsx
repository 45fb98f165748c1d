import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { findScroll } from '#pwa/device/scroll-positions.ts';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import type { GalleryEntry, GallerySection, Headings } from './gallery-entries.ts';
import { type CardActions, ResultCard } from './result-card.tsx';
import type { Chosen } from './selection.tsx';

/** Few enough to render within a frame or two. */
const BLOCK_ROWS = 3;
/** Until a block was there once, a row of it is taken for this high: less than it will be. */
const ROW_MIN_HEIGHT_PX = 250;
/** Cards this far beyond the screen are rendered, in pixels. */
const KEPT_MARGIN_PX = 1500;

export interface ResultGridProps {
  sections: readonly GallerySection[];
  headings: Headings;
  deletingIds: ReadonlySet<string>;
  /** Null when no selection is in progress. */
  chosen: Chosen | null;
  /** Must be the same object on every render. */
  actions: CardActions;
  /** Stands after the first row. */
  banner?: ReactNode;
}

/**
 * The cards in 1 to 4 columns, below their headings. Blocks come one by one, so that the page answers in between. Only
 * those near the screen keep their cards, so even ten thousand results scroll fast.
 */
export function ResultGrid({ sections, banner, ...rest }: ResultGridProps) {
  const columns = useColumns();
  const blocks = useMemo(() => splitIntoBlocks(sections, columns * BLOCK_ROWS), [sections, columns]);
  const addedCount = useGradualCount(blocks.length);
  return (
    <div>
      {blocks.map(({ key, heading, entries }, index) => (
        <Block
          key={key}
          heading={heading}
          isAdded={index < addedCount}
          entries={entries}
          columns={columns}
          banner={index === 0 ? banner : null}
          {...rest}
        />
      ))}
    </div>
  );
}

interface CardBlock {
  key: string;
  /** Of the section that begins with this block. */
  heading: GallerySection | null;
  entries: GalleryEntry[];
}

/** Splits each section into blocks of this many cards. */
function splitIntoBlocks(sections: readonly GallerySection[], size: number): CardBlock[] {
  return sections.flatMap((section) =>
    Array.from({ length: Math.ceil(section.entries.length / size) }, (_, index) => ({
      key: `${section.key}/${index}`,
      heading: index === 0 ? section : null,
      entries: section.entries.slice(index * size, (index + 1) * size),
    })),
  );
}

/** How many columns the grid below has. */
function useColumns(): number {
  const [two, three, four] = [
    useMediaQuery('(width >= 340px)'),
    useMediaQuery('(width >= 64rem)'),
    useMediaQuery('(width >= 80rem)'),
  ];
  return four ? 4 : three ? 3 : two ? 2 : 1;
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

interface BlockProps extends Omit<ResultGridProps, 'sections'>, Omit<CardBlock, 'key'> {
  isAdded: boolean;
  columns: number;
}

const Block = memo(function Block({
  isAdded,
  heading,
  entries,
  columns,
  banner,
  headings,
  deletingIds,
  chosen,
  actions,
}: BlockProps) {
  const element = useRef<HTMLUListElement>(null);
  const farHeightPx = useHeightWhileFar(element, isAdded);
  const emptyHeightPx = isAdded ? farHeightPx : Math.ceil(entries.length / columns) * ROW_MIN_HEIGHT_PX;
  const cards = entries.map((entry) => (
    <li key={entry[0].id} className="min-w-0">
      <ResultCard
        entry={entry}
        isDeleting={entry.some(({ id }) => deletingIds.has(id))}
        headings={headings}
        isSelected={chosen && entry.every(({ id }) => chosen.has(id))}
        actions={actions}
      />
    </li>
  ));
  if (banner)
    cards.splice(
      columns,
      0,
      <li key="banner" className="col-span-full">
        {banner}
      </li>,
    );
  return (
    <>
      {heading && <SectionHeading section={heading} />}
      {emptyHeightPx === null ? (
        <ul
          ref={element}
          className="grid grid-cols-1 min-[340px]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 gap-x-3 md:gap-x-4 gap-y-5 pb-5"
        >
          {cards}
        </ul>
      ) : (
        <ul ref={element} style={{ height: emptyHeightPx }} aria-hidden="true" />
      )}
    </>
  );
}, isSameBlock);

/** Whether a block looks the same: its entries are made anew with every list, of the same items. */
function isSameBlock(before: BlockProps, after: BlockProps): boolean {
  return (Object.keys(after) as (keyof BlockProps)[]).every((name) => {
    if (name === 'heading') return before.heading?.title === after.heading?.title;
    if (name === 'entries') return isSameList(before.entries, after.entries, (one, other) => isSameList(one, other));
    return before[name] === after[name];
  });
}

function isSameList<Item>(
  before: readonly Item[],
  after: readonly Item[],
  isSame: (one: Item, other: Item) => boolean = Object.is,
): boolean {
  return before.length === after.length && before.every((one, index) => isSame(one, after[index] as Item));
}

function SectionHeading({ section: { title, path } }: { section: GallerySection }) {
  return (
    <h2 className="sec min-h-6 mb-1 flex items-center [overflow-wrap:anywhere]">
      {path === null ? (
        title
      ) : (
        <Link to={path} className="link inline-flex items-center min-h-11 -my-2">
          {title}
        </Link>
      )}
    </h2>
  );
}

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
