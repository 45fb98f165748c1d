import { ChevronsLeftRight } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { CropFrame } from './crop-frame.tsx';
import { moveByKey } from './move-by-key.ts';
import { useFirstViewSweep } from './use-first-view-sweep.ts';

const KEY_MOVES = { max: 100, step: 5 };
const MIDDLE = 50;
const DEFAULT_RATIO = 3 / 4;

export interface BeforeAfterPicture {
  url: string;
  alt: string;
}

export interface BeforeAfterProps {
  before: BeforeAfterPicture;
  after: BeforeAfterPicture;
}

/**
 * Two pictures of one thing with a movable border between them: drag anywhere, arrows by 5 %, Home and End, or the
 * button below. The frame has the aspect ratio of the second picture; the first is fitted into it.
 */
export function BeforeAfter({ before, after }: BeforeAfterProps) {
  /** The share of the width that shows the first picture, in percent. */
  const [share, setShare] = useState(MIDDLE);
  const [ratio, setRatio] = useState(DEFAULT_RATIO);
  const frame = useFirstViewSweep<HTMLDivElement>(setShare);
  const show = (next: number) => {
    frame.stop();
    setShare(Math.min(100, Math.max(0, Math.round(next))));
  };
  const drag = useBorderDrag(show);
  const isBeforeShown = share >= MIDDLE;
  return (
    <div>
      <CropFrame>
        <div
          ref={frame.ref}
          className="ba cursor-ew-resize select-none"
          style={{ '--p': `${share}%`, aspectRatio: ratio } as CSSProperties}
          {...drag}
        >
          <img
            src={after.url}
            alt={after.alt}
            draggable={false}
            loading="lazy"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              if (naturalWidth > 0 && naturalHeight > 0) setRatio(naturalWidth / naturalHeight);
            }}
          />
          <img
            className="top bg-sunken !object-contain"
            src={before.url}
            alt={before.alt}
            draggable={false}
            loading="lazy"
          />
          <span className="tag plate absolute left-2 bottom-2" style={{ opacity: share > 12 ? 1 : 0 }}>
            Было
          </span>
          <span className="tag plate absolute right-2 bottom-2" style={{ opacity: share < 88 ? 1 : 0 }}>
            Стало
          </span>
          <Border share={share} onMove={show} />
        </div>
      </CropFrame>
      <Button variant="quiet" size="sm" className="mt-2" onClick={() => show(isBeforeShown ? 0 : 100)}>
        {isBeforeShown ? 'Показать «Стало»' : 'Показать «Было»'}
      </Button>
    </div>
  );
}

/**
 * Moves the border with a pointer that is pressed anywhere in the frame. `onMove` receives a share of the width in
 * percent.
 */
function useBorderDrag(onMove: (share: number) => void) {
  const isDragged = useRef(false);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onMove(((event.clientX - left) / width) * 100);
  };
  const stop = () => {
    isDragged.current = false;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      isDragged.current = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (isDragged.current) follow(event);
    },
    onPointerUp: stop,
    // The browser uses the touch for scrolling.
    onPointerCancel: stop,
  };
}

interface BorderProps {
  share: number;
  onMove: (share: number) => void;
}

/** The line between the pictures, with a knob for the keyboard. */
function Border({ share, onMove }: BorderProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveByKey(event.key, share, KEY_MOVES);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  };
  return (
    <span className="bar">
      <span
        className="knob"
        role="slider"
        tabIndex={0}
        aria-label="Сравнение до и после"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={`Было: ${share} %`}
        onKeyDown={onKeyDown}
      >
        <ChevronsLeftRight className="ic" />
      </span>
    </span>
  );
}
