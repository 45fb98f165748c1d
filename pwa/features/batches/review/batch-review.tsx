import {
  Check,
  ChevronLeft,
  ChevronRight,
  Columns2,
  LayoutGrid,
  Package,
  RotateCcw,
  Square,
  Undo2,
  X,
} from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { ModalPanel } from '#pwa/components/modal-panel.tsx';
import { PlateProblem } from '#pwa/components/plate-problem.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { nb } from '#pwa/format.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { ReviewGrid } from './review-grid.tsx';
import { ReviewStage, usePreload } from './review-stage.tsx';
import { priceOfRedo } from './use-redo.ts';
import { describeLeft, type Review, titleRow, useReview, whyNoRedo } from './use-review.ts';
import { useReviewKeys } from './use-review-keys.ts';

export interface BatchReviewProps {
  batch: Batch;
  /** All rows of the batch. Those that are done are reviewed. */
  rows: readonly BatchRow[];
  onClose: () => void;
  /** Shows the packs of the batch in place of the review. */
  onPacks: () => void;
}

/**
 * The results of a batch, one after another or as a grid: taken, not taken or made again. Keys, buttons of the same names
 * and, on a touch screen, swipes.
 */
export function BatchReview({ onClose, ...props }: BatchReviewProps) {
  return (
    <ModalPanel open onOpenChange={onClose} place="viewer" className="viewer-panel">
      <Reviewed onClose={onClose} {...props} />
    </ModalPanel>
  );
}

function Reviewed({ batch, rows, onClose, onPacks }: BatchReviewProps) {
  const review = useReview(batch, rows);
  const { current } = review;
  const [isGrid, setIsGrid] = useState(false);
  const [isBefore, setIsBefore] = useState(false);
  const [frame, setFrame] = useFrame(current);
  const results = current?.results.length ?? 0;
  const position = review.rows.findIndex(({ id }) => id === current?.id);
  usePreload(review.rows.slice(position + 1, position + 3));

  const decide = (isTaken: boolean) => current && review.decide(current, isTaken);
  const showFrame = (next: number) => setFrame(Math.max(0, Math.min(results - 1, next)));
  useReviewKeys(
    {
      KeyA: () => decide(true),
      KeyX: () => decide(false),
      KeyR: () => current && review.redo(current),
      KeyZ: () => review.undo(),
      ...(isGrid ? {} : { KeyB: () => setIsBefore(true) }),
      ArrowLeft: () => review.moveBy(-1),
      ArrowRight: () => review.moveBy(1),
      ...(!isGrid && results > 1 ? { ArrowUp: () => showFrame(frame - 1), ArrowDown: () => showFrame(frame + 1) } : {}),
    },
    (code) => {
      if (code === null || code === 'KeyB') setIsBefore(false);
    },
  );
  return (
    <>
      <Head batch={batch} review={review} isGrid={isGrid} onGrid={setIsGrid} />
      <div data-review className="relative grid min-h-0 min-w-0">
        {isGrid && review.rows.length > 0 ? (
          <div className="grid grid-rows-[auto_minmax(0,1fr)] min-h-0 min-w-0">
            <div>{review.left === 0 && <Sum review={review} onPacks={onPacks} />}</div>
            <ReviewGrid
              rows={review.rows}
              currentId={current?.id ?? null}
              onCurrent={review.show}
              onOpen={(id) => {
                review.show(id);
                setIsGrid(false);
              }}
              onDecide={review.decide}
            />
          </div>
        ) : current ? (
          <>
            <ReviewStage
              key={current.id}
              row={current}
              frame={frame}
              onFrame={showFrame}
              isBefore={isBefore}
              onBefore={setIsBefore}
              onDecide={decide}
            />
            <Steps position={position} count={review.rows.length} onMove={review.moveBy} />
          </>
        ) : (
          <End review={review} onClose={onClose} onPacks={onPacks} />
        )}
        {review.refusal && (
          <PlateProblem
            className="inset-x-4 top-2 mx-auto w-fit max-w-md border border-on-plate/40"
            title="Решения не сохранены"
            detail={describeError(review.refusal.error, 'Сервис их не принял. Они отменены')}
            onRetry={review.sendAgain}
          >
            <Button variant="second" size="sm" className="ml-2" onClick={review.dropRefusal}>
              Понятно
            </Button>
          </PlateProblem>
        )}
      </div>
      <Actions review={review} isBefore={isBefore} onBefore={isGrid ? null : setIsBefore} onDecide={decide} />
      <p role="status" className="sr-only">
        {review.message}
      </p>
    </>
  );
}

/** The shown frame of a row. Each row begins with its first drifted frame. */
function useFrame(row: BatchRow | null): [number, (frame: number) => void] {
  const [shown, setShown] = useState<{ id: string; frame: number } | null>(null);
  if (!row) return [0, () => undefined];
  const drifted = row.results.findIndex(({ garmentCheck }) => garmentCheck?.verdict === 'drifted');
  const frame = shown?.id === row.id ? shown.frame : Math.max(0, drifted);
  return [Math.min(frame, Math.max(0, row.results.length - 1)), (next) => setShown({ id: row.id, frame: next })];
}

interface HeadProps {
  batch: Batch;
  review: Review;
  isGrid: boolean;
  onGrid: (isGrid: boolean) => void;
}

function Head({ batch, review, isGrid, onGrid }: HeadProps) {
  const { current, left, cleanCount, isOnline, unsent } = review;
  return (
    <header className="px-2 pt-2 pb-1">
      <div className="flex items-center gap-1">
        <RadixDialog.Title className="flex-1 min-w-0 px-2">
          <span className="sr-only">Просмотр: </span>
          <span className="block font-semibold truncate">{current && !isGrid ? titleRow(current) : batch.name}</span>
        </RadixDialog.Title>
        <IconButton label={isGrid ? 'По одному' : 'Сеткой'} onClick={() => onGrid(!isGrid)}>
          {isGrid ? <Square className="ic" /> : <LayoutGrid className="ic" />}
        </IconButton>
        <RadixDialog.Close asChild>
          <IconButton label="Закрыть">
            <X className="ic" />
          </IconButton>
        </RadixDialog.Close>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-2 min-h-11">
        <span className="num text-sm font-semibold">{describeLeft(left)}</span>
        {!isOnline && (
          <span className="text-sm" role="status">
            {nb(unsent > 0 ? 'Нет сети: решения сохранятся позже' : 'Нет сети')}
          </span>
        )}
        {cleanCount > 0 && (
          <Button variant="second" size="sm" onClick={review.takeClean}>
            <span>
              Взять все без замечаний <span className="num">({cleanCount})</span>
            </span>
          </Button>
        )}
      </div>
    </header>
  );
}

interface StepsProps {
  position: number;
  count: number;
  onMove: (by: 1 | -1) => void;
}

function Steps({ position, count, onMove }: StepsProps) {
  if (count < 2) return null;
  return (
    <>
      <IconButton
        label="Предыдущее"
        className="viewer-step left-2"
        aria-disabled={position === 0}
        onClick={() => onMove(-1)}
      >
        <ChevronLeft className="ic" />
      </IconButton>
      <IconButton
        label="Следующее"
        className="viewer-step right-2"
        aria-disabled={position === count - 1}
        onClick={() => onMove(1)}
      >
        <ChevronRight className="ic" />
      </IconButton>
    </>
  );
}

interface ActionsProps {
  review: Review;
  isBefore: boolean;
  /** Null in the grid. */
  onBefore: ((isBefore: boolean) => void) | null;
  onDecide: (isTaken: boolean) => void;
}

function Actions({ review, isBefore, onBefore, onDecide }: ActionsProps) {
  const { current, canUndo, isOnline } = review;
  const noRedo = current && whyNoRedo(current, isOnline);
  const price = current ? priceOfRedo(current) : null;
  return (
    <footer className="grid gap-2 p-3 grid-cols-6 w-full max-w-3xl mx-auto md:flex md:justify-center">
      <Key name="Z" className={STACKED} icon={<Undo2 className="ic" />} disabled={!canUndo} onClick={review.undo}>
        Отменить
      </Key>
      <Key
        name="B"
        className={STACKED}
        icon={<Columns2 className="ic" />}
        disabled={!onBefore || !current?.photo}
        aria-pressed={isBefore}
        onPointerDown={() => onBefore?.(true)}
        onPointerUp={() => onBefore?.(false)}
        onPointerLeave={(event) => event.buttons > 0 && onBefore?.(false)}
        onPointerCancel={() => onBefore?.(false)}
        onClick={(event) => {
          // A key or a screen reader presses it once: then the photo stays until the next press.
          if (event.detail === 0) onBefore?.(!isBefore);
        }}
      >
        Было
      </Key>
      <Key
        name="R"
        className={STACKED}
        icon={<RotateCcw className="ic" />}
        disabled={!current || noRedo !== null}
        title={noRedo ?? undefined}
        note={price !== null && <Price stars={price} />}
        onClick={() => current && review.redo(current)}
      >
        Переделать
      </Key>
      <Key
        name="X"
        className="col-span-3"
        icon={<X className="ic" />}
        disabled={!current}
        aria-pressed={current?.isTaken === false}
        onClick={() => onDecide(false)}
      >
        Не брать
      </Key>
      <Key
        name="A"
        className="col-span-3"
        isMain
        icon={<Check className="ic" />}
        disabled={!current}
        aria-pressed={current?.isTaken === true}
        onClick={() => onDecide(true)}
      >
        Взять
      </Key>
    </footer>
  );
}

/** On a phone the icon stands above the word, so that three fit in 320 pixels. */
const STACKED = 'col-span-2 max-md:flex-col max-md:!gap-0.5 max-md:!py-1.5 max-md:!text-xs max-md:!justify-start';

function Price({ stars }: { stars: number }) {
  if (stars === 0) return <span className="text-xs font-normal">бесплатно</span>;
  return (
    <span className="num inline-flex items-center gap-1 text-xs">
      <StarIcon />
      {stars}
      <span className="sr-only">{pluralize(stars, ['звезда', 'звезды', 'звёзд'])}</span>
    </span>
  );
}

interface KeyProps extends React.ComponentProps<typeof Button> {
  /** What is printed on the key. */
  name: string;
  isMain?: boolean;
  note?: ReactNode;
}

/** A button with the key that does the same. */
function Key({ name, isMain = false, note, className = '', children, ...rest }: KeyProps) {
  return (
    <Button
      {...rest}
      variant={isMain ? 'plate' : 'second'}
      size="sm"
      className={`!px-2 min-w-0 select-none touch-none ${className}`}
      aria-keyshortcuts={name}
    >
      <span className="grid justify-items-center md:flex md:items-center md:gap-2">
        {children}
        {note}
      </span>
      <kbd className="num text-xs opacity-70 border border-current rounded-tag px-1 max-md:hidden" aria-hidden>
        {name}
      </kbd>
    </Button>
  );
}

interface EndProps {
  review: Review;
  onClose: () => void;
  onPacks: () => void;
}

/** The end of a review, and where it leads. */
function End({ review, onClose, onPacks }: EndProps) {
  const { rows, notTaken, coming, show } = review;
  const isEmpty = rows.length === 0;
  return (
    <section
      className="grid place-content-center justify-items-center gap-3 p-6 text-center"
      aria-label="Итог просмотра"
    >
      <h2 className="ptitle">{isEmpty ? 'Пока нечего смотреть' : 'Всё просмотрено'}</h2>
      {!isEmpty && <Sum review={review} onPacks={onPacks} />}
      {coming > 0 && (
        <p className="text-sm max-w-sm">
          {nb(
            `Ещё ${coming} ${pluralize(coming, ['создаётся', 'создаются', 'создаются'])}. Результаты появятся здесь сами`,
          )}
        </p>
      )}
      {notTaken > 0 && <p className="text-sm max-w-sm">{nb('Что не взято, останется в галерее')}</p>}
      <div className="flex flex-wrap justify-center gap-2">
        {!isEmpty && (
          <Button variant="second" onClick={() => show(rows[0]?.id ?? null)}>
            Посмотреть ещё раз
          </Button>
        )}
        <Button variant="second" onClick={onClose}>
          К партии
        </Button>
      </div>
    </section>
  );
}

/** What was decided, and the packs of it. */
function Sum({ review: { taken, notTaken, unsent }, onPacks }: Omit<EndProps, 'onClose'>) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 px-3 pb-2">
      <p className="num">
        {nb(`Взято: ${taken}`)}, {nb(`не взято: ${notTaken}`)}
      </p>
      {taken > 0 && (
        <Button
          variant="plate"
          size="sm"
          icon={<Package className="ic ic-s" />}
          // The packs hold what the server knows to be taken.
          loading={unsent > 0}
          loadingText="Сохраняем решения…"
          onClick={onPacks}
        >
          Собрать пакеты
        </Button>
      )}
    </div>
  );
}
