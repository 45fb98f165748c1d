import { TriangleAlert } from 'lucide-react';
import { type CSSProperties, useEffect } from 'react';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { GarmentLine } from '#pwa/features/generations/garment-notice.tsx';
import { titleDrift } from '#pwa/features/generations/garment-texts.ts';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import type { BatchRow } from '#shared/contract/batches.ts';
import { nameFrame } from '#shared/rules/tool-abilities.ts';
import { titleRow } from './use-review.ts';
import { useStageGestures } from './use-stage-gestures.ts';

type Result = BatchRow['results'][number];

export interface ReviewStageProps {
  row: BatchRow;
  /** Index among its results. */
  frame: number;
  onFrame: (frame: number) => void;
  /** Whether the photo is shown in place of the result. */
  isBefore: boolean;
  onBefore: (isBefore: boolean) => void;
  onDecide: (isTaken: boolean) => void;
}

/** The shown result in the size of the window, and the frames of a photo session below it. */
export function ReviewStage({ row, frame, onFrame, isBefore, onBefore, onDecide }: ReviewStageProps) {
  const result = row.results[frame];
  const { view, isMoving, offset, area, handlers } = useStageGestures(`${row.id}/${frame}`, {
    onTake: () => onDecide(true),
    onLeave: () => onDecide(false),
    onHold: onBefore,
  });
  const hasBefore = isBefore && row.photo !== null;
  const style: CSSProperties = { translate: `${view.x + offset}px ${view.y}px`, scale: view.scale };
  return (
    <div className="grid grid-rows-[minmax(0,1fr)_auto] min-h-0 min-w-0">
      <div
        ref={area}
        className={`viewer-area [-webkit-touch-callout:none] ${view.scale > 1 ? 'is-zoomed' : ''}`}
        {...handlers}
      >
        <div className={`relative size-full viewer-picture ${isMoving ? '' : 'is-still'}`} style={style}>
          <div className={`absolute inset-0 ${hasBefore ? 'invisible' : ''}`}>
            {result ? (
              <Shown key={result.id} result={result} title={titleRow(row)} />
            ) : (
              <p className="grid place-items-center size-full text-sm p-6 text-center">Результат удалён</p>
            )}
          </div>
          {row.photo && (
            <div className={`absolute inset-0 ${hasBefore ? '' : 'invisible'}`}>
              <ResultPicture url={row.photo.previewUrl} alt={`Было: ${titleRow(row)}`} className={WHOLE} />
            </div>
          )}
        </div>
        <div className="absolute inset-x-2 bottom-2 flex flex-wrap gap-1 pointer-events-none">
          <span className="tag plate">{hasBefore ? 'Было' : 'Стало'}</span>
          {row.isTaken !== null && <span className="tag plate">{row.isTaken ? 'Взято' : 'Не взято'}</span>}
        </div>
        {Math.abs(offset) > SWIPE_SHOWN_PX && (
          <span className={`tag plate absolute top-4 !text-base !h-11 !px-4 ${offset > 0 ? 'left-4' : 'right-4'}`}>
            {offset > 0 ? 'Взять' : 'Не брать'}
          </span>
        )}
      </div>
      <div className="px-3 pt-2 grid gap-2 justify-items-center">
        {row.results.length > 1 && <Frames row={row} frame={frame} onFrame={onFrame} />}
        <Finding result={result} />
      </div>
    </div>
  );
}

const WHOLE = 'size-full object-contain';
/** From here on the word of a swipe is shown. `readSwipe` takes it a little later. */
const SWIPE_SHOWN_PX = 30;

function Shown({ result, title }: { result: Result; title: string }) {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  if (result.durationSeconds === null) {
    return (
      <ResultPicture
        url={result.url}
        alt={`Стало: ${title}`}
        className={WHOLE}
        style={{ background: `center/contain no-repeat url("${result.previewUrl}")` }}
      />
    );
  }
  return (
    <video
      className={WHOLE}
      src={result.url}
      poster={result.previewUrl}
      aria-label={`Стало: ${title}`}
      muted
      loop
      playsInline
      autoPlay={!isStill}
      controls={isStill}
      preload="auto"
    />
  );
}

interface FramesProps {
  row: BatchRow;
  frame: number;
  onFrame: (frame: number) => void;
}

/** The frames of a photo session. A frame with a drifted garment is marked. */
function Frames({ row, frame, onFrame }: FramesProps) {
  const sort = useFrameSort();
  return (
    <fieldset className="flex gap-1.5" aria-label="Кадры">
      {row.results.map(({ id, position, thumbnailUrl, garmentCheck }, index) => {
        const hasDrifted = garmentCheck?.verdict === 'drifted';
        const name = nameFrame(sort, position);
        return (
          <button
            key={id}
            type="button"
            className="pic w-12 h-16 aria-pressed:shadow-[0_0_0_2px_var(--color-plate),0_0_0_4px_var(--color-on-plate)]"
            aria-pressed={index === frame}
            aria-label={hasDrifted ? `${name}: ${titleDrift(garmentCheck.drifts).toLowerCase()}` : name}
            onClick={() => onFrame(index)}
          >
            <ResultPicture url={thumbnailUrl} alt="" className="size-full object-cover" />
            {hasDrifted && (
              <span className="absolute right-0.5 top-0.5 rounded-tag bg-plate p-0.5">
                <TriangleAlert className="ic !size-3" />
              </span>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Whether the garment of the shown result is that of the photo. */
function Finding({ result }: { result: Result | undefined }) {
  const check = result?.garmentCheck;
  if (!check || check.verdict === 'kept') return null;
  if (check.verdict !== 'drifted') return <GarmentLine checks={[check]} className="" />;
  return (
    <p className="flex gap-2 text-sm font-semibold">
      <TriangleAlert className="ic ic-s mt-0.5 flex-none" />
      {titleDrift(check.drifts)}
    </p>
  );
}

/** Loads the pictures of these rows, so that they are there when their turn comes. */
export function usePreload(rows: readonly BatchRow[]): void {
  const urls = rows.flatMap(({ photo, results }) => [
    ...(photo ? [photo.previewUrl] : []),
    ...results.slice(0, 1).map((result) => (result.durationSeconds === null ? result.url : result.previewUrl)),
  ]);
  const key = urls.join('\n');
  useEffect(() => {
    for (const url of key.split('\n').filter(Boolean)) new Image().src = url;
  }, [key]);
}
