import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { describeError, isFileLost } from '#pwa/client/api-error.ts';
import { askForError } from '#pwa/client/ask-for-error.ts';
import { IconButton } from './icon-button.tsx';
import { ModalPanel } from './modal-panel.tsx';
import { PlateProblem } from './plate-problem.tsx';
import { describeNotLoaded, ResultPicture } from './result-picture.tsx';
import { useViewerGestures } from './use-viewer-gestures.ts';
import { BUTTON_ZOOM_FACTOR } from './viewer-gestures.ts';

export interface ViewedPicture {
  id: string;
  url: string;
  /** A smaller copy that the page already shows; visible until the picture has loaded. */
  previewUrl?: string | null;
  title: string;
  /** Stands in the place of a picture that cannot be shown. */
  placeholder?: ReactNode;
}

export interface PictureViewerProps {
  pictures: readonly ViewedPicture[];
  /** The index of the picture that is shown; null closes the viewer. */
  index: number | null;
  onIndexChange: (index: number | null) => void;
  /** Buttons for the shown picture, of variant `plate`. */
  actions?: (index: number) => ReactNode;
  /** The server says that the file of the shown picture is lost. */
  onLost?: () => void;
}

/** Pictures over the whole screen. Arrows and swipes change the picture; pinch, wheel, double tap and buttons zoom. */
export function PictureViewer({ pictures, index, onIndexChange, actions, onLost }: PictureViewerProps) {
  const picture = index === null ? undefined : pictures[index];
  return (
    <ModalPanel
      open={picture !== undefined}
      onOpenChange={() => onIndexChange(null)}
      place="viewer"
      className="viewer-panel"
    >
      {picture && index !== null && (
        <Viewed
          picture={picture}
          index={index}
          count={pictures.length}
          onStep={(step) => {
            const next = index + step;
            if (next >= 0 && next < pictures.length) onIndexChange(next);
          }}
          actions={actions?.(index)}
          onLost={() => onLost?.()}
        />
      )}
    </ModalPanel>
  );
}

interface ViewedProps {
  picture: ViewedPicture;
  index: number;
  count: number;
  onStep: (step: 1 | -1) => void;
  actions: ReactNode;
  onLost: () => void;
}

function Viewed({ picture, index, count, onStep, actions, onLost }: ViewedProps) {
  const { view, isMoving, zoom, area, handlers } = useViewerGestures(picture.id, onStep);
  const press = useRef<(event: KeyboardEvent) => void>(() => undefined);
  press.current = (event) => {
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act({ zoom, onStep });
  };
  useEffect(() => {
    // Listens on the window: the focus may be on the panel around or, when a button has just disappeared, nowhere.
    const listen = (event: KeyboardEvent) => press.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <header className="flex items-center gap-1 p-2">
        <RadixDialog.Title className="font-semibold truncate px-2 flex-1 min-w-0">{picture.title}</RadixDialog.Title>
        <span className="num text-sm px-2" aria-live="polite">
          {index + 1} из {count}
        </span>
        <IconButton label="Уменьшить" aria-disabled={view.scale === 1} onClick={() => zoom(1 / BUTTON_ZOOM_FACTOR)}>
          <ZoomOut className="ic" />
        </IconButton>
        <IconButton label="Увеличить" onClick={() => zoom(BUTTON_ZOOM_FACTOR)}>
          <ZoomIn className="ic" />
        </IconButton>
        <RadixDialog.Close asChild>
          <IconButton label="Закрыть">
            <X className="ic" />
          </IconButton>
        </RadixDialog.Close>
      </header>
      <div ref={area} className={`viewer-area ${view.scale > 1 ? 'is-zoomed' : ''}`} {...handlers}>
        {picture.placeholder ?? (
          <FullPicture
            key={picture.id}
            picture={picture}
            onLost={onLost}
            className={`viewer-picture ${isMoving ? '' : 'is-still'}`}
            style={{
              translate: `${view.x}px ${view.y}px`,
              scale: view.scale,
              backgroundImage: picture.previewUrl ? `url("${picture.previewUrl}")` : undefined,
            }}
          />
        )}
      </div>
      {count > 1 && (
        <>
          <IconButton
            label="Предыдущее"
            className="viewer-step left-2"
            aria-disabled={index === 0}
            onClick={() => onStep(-1)}
          >
            <ChevronLeft className="ic" />
          </IconButton>
          <IconButton
            label="Следующее"
            className="viewer-step right-2"
            aria-disabled={index === count - 1}
            onClick={() => onStep(1)}
          >
            <ChevronRight className="ic" />
          </IconButton>
        </>
      )}
      {actions && <footer className="flex flex-wrap justify-center gap-2 p-3">{actions}</footer>}
    </>
  );
}

interface FullPictureProps {
  picture: ViewedPicture;
  onLost: () => void;
  className: string;
  style: CSSProperties;
}

/** The picture in full size. While it cannot be loaded, a plate over it says why. */
function FullPicture({ picture: { url, title }, onLost, ...look }: FullPictureProps) {
  const [reason, setReason] = useState<string | null>(null);
  const explain = async () => {
    const error = await askForError(url);
    if (isFileLost(error)) onLost();
    setReason(describeError(error, describeNotLoaded(title)));
  };
  return (
    <ResultPicture
      {...look}
      url={url}
      alt={title}
      onBroken={() => void explain()}
      whileBroken={(tryAgain, isTrying) =>
        reason && (
          // In a low window the arrows reach down to it, so it stands between them.
          <PlateProblem
            className="inset-x-16 bottom-4 mx-auto w-fit max-w-md"
            title={reason}
            isRetrying={isTrying}
            onRetry={tryAgain}
          />
        )
      }
    />
  );
}

interface KeyActions {
  zoom: (factor: number) => void;
  onStep: (step: 1 | -1) => void;
}

const KEYS: Record<string, (actions: KeyActions) => void> = {
  ArrowLeft: ({ onStep }) => onStep(-1),
  ArrowRight: ({ onStep }) => onStep(1),
  '+': ({ zoom }) => zoom(BUTTON_ZOOM_FACTOR),
  '=': ({ zoom }) => zoom(BUTTON_ZOOM_FACTOR),
  '-': ({ zoom }) => zoom(1 / BUTTON_ZOOM_FACTOR),
};
