import { Check, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import type { BatchRow } from '#shared/contract/batches.ts';
import { hasDrifted } from './review-state.ts';
import { titleRow } from './use-review.ts';

export interface ReviewGridProps {
  /** In the order of the review. */
  rows: readonly BatchRow[];
  currentId: string | null;
  onCurrent: (rowId: string) => void;
  /** Shows a row by itself. */
  onOpen: (rowId: string) => void;
  onDecide: (row: BatchRow, isTaken: boolean) => void;
}

/** All results of a review at once. Arrows move between them. */
export function ReviewGrid({ rows, currentId, ...actions }: ReviewGridProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // A decided row goes to the end: the focus goes to the next one and not with it.
    const isInside = list.current?.contains(document.activeElement) || document.activeElement === document.body;
    if (isInside) focusRow(list.current, currentId);
  }, [currentId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the grid has just been opened.
  useEffect(() => focusRow(list.current, currentId), []);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const stable = useRef<Actions>({
    onCurrent: (id) => latest.current.onCurrent(id),
    onOpen: (id) => latest.current.onOpen(id),
    onDecide: (row, isTaken) => latest.current.onDecide(row, isTaken),
  }).current;
  const moveByRows = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const index = rows.findIndex(({ id }) => id === currentId);
    const next = rows[index + by * countColumns(list.current)];
    if (by === 0 || !next) return;
    event.preventDefault();
    stable.onCurrent(next.id);
  };
  return (
    <div className="overflow-y-auto min-h-0 px-1.5">
      <ul
        ref={list}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(140px,44vw),1fr))] md:grid-cols-[repeat(auto-fill,minmax(180px,1fr))]"
        onKeyDown={moveByRows}
      >
        {rows.map((row) => (
          <Card key={row.id} row={row} isCurrent={row.id === currentId} actions={stable} />
        ))}
      </ul>
    </div>
  );
}

type Actions = Pick<ReviewGridProps, 'onCurrent' | 'onOpen' | 'onDecide'>;

interface CardProps {
  row: BatchRow;
  isCurrent: boolean;
  actions: Actions;
}

const Card = memo(function Card({ row, isCurrent, actions: { onCurrent, onOpen, onDecide } }: CardProps) {
  const title = titleRow(row);
  const drifted = hasDrifted(row);
  const [result] = row.results;
  const words = [title, row.isTaken !== null && (row.isTaken ? 'взято' : 'не взято'), drifted && 'проверьте вещь'];
  const isChosen = (isTaken: boolean) =>
    row.isTaken === isTaken ? '!bg-on-plate !text-plate' : 'border border-on-plate/40';
  return (
    <li className="min-w-0 p-1.5 [content-visibility:auto] [contain-intrinsic-size:auto_260px]">
      <button
        type="button"
        data-row={row.id}
        className={`pic block w-full aspect-[3/4] ${isCurrent ? 'shadow-[0_0_0_2px_var(--color-plate),0_0_0_5px_var(--color-on-plate)]' : ''}`}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={words.filter(Boolean).join(', ')}
        aria-current={isCurrent || undefined}
        onFocus={() => onCurrent(row.id)}
        onClick={() => onOpen(row.id)}
      >
        {result && (
          <ResultPicture
            url={result.thumbnailUrl}
            alt=""
            isLazy
            className={`size-full object-cover ${row.isTaken === false ? 'opacity-45' : ''}`}
          />
        )}
        {drifted && (
          <span className="absolute right-1.5 top-1.5 rounded-tag bg-plate p-1">
            <TriangleAlert className="ic ic-s" />
          </span>
        )}
        {row.results.length > 1 && <span className="tag plate num">{row.results.length} кадров</span>}
      </button>
      <div className="flex items-center gap-1.5 mt-1.5">
        <span className="text-xs truncate flex-1 min-w-0" aria-hidden>
          {title}
        </span>
        <IconButton
          label={`Не брать: ${title}`}
          aria-pressed={row.isTaken === false}
          tabIndex={isCurrent ? 0 : -1}
          className={isChosen(false)}
          onClick={() => onDecide(row, false)}
        >
          <X className="ic" />
        </IconButton>
        <IconButton
          label={`Взять: ${title}`}
          aria-pressed={row.isTaken === true}
          tabIndex={isCurrent ? 0 : -1}
          className={isChosen(true)}
          onClick={() => onDecide(row, true)}
        >
          <Check className="ic" />
        </IconButton>
      </div>
    </li>
  );
});

function focusRow(list: HTMLElement | null, rowId: string | null): void {
  if (rowId === null) return;
  list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(rowId)}"]`)?.focus();
}

function countColumns(list: HTMLElement | null): number {
  return list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1;
}
