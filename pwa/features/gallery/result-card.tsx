import { Check, Download, Ellipsis, Layers, Play } from 'lucide-react';
import type { MouseEvent } from 'react';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { useLongPress } from '#pwa/device/use-long-press.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { DriftTag } from '#pwa/features/generations/drift-tag.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { LostPicture, ReturnStars } from '#pwa/features/generations/loss-notice.tsx';
import { formatDate, formatTime } from '#pwa/format.ts';
import { type GalleryEntry, type Headings, titleEntry, toEntryTarget } from './gallery-entries.ts';
import { GALLERY_TEXTS } from './gallery-texts.ts';

export interface CardActions {
  onOpen: (entry: GalleryEntry) => void;
  /** Opens the sheet with everything that can be done with it. */
  onMore: (entry: GalleryEntry) => void;
  /** Begins a selection or changes it. `isRange`: also everything between this one and the one before. */
  onSelect: (entry: GalleryEntry, isRange: boolean) => void;
}

export interface ResultCardProps {
  entry: GalleryEntry;
  isDeleting: boolean;
  /** Null when no selection is in progress. */
  isSelected: boolean | null;
  /** What it stands below. */
  headings: Headings;
  actions: CardActions;
}

/**
 * A result of the gallery, or the frames of a photo session. During a selection a press on its picture selects it; a long
 * press, or one with Shift, begins a selection.
 */
export function ResultCard({ entry, isDeleting, isSelected, headings, actions }: ResultCardProps) {
  const [item] = entry;
  const { kind, tag, pictureUrl, createdAt, loss } = item;
  const title = titleEntry(entry);
  const isSelecting = isSelected !== null;
  const longPress = useLongPress(() => actions.onSelect(entry, false));
  const press = ({ shiftKey }: MouseEvent) => {
    if (isSelecting || shiftKey) actions.onSelect(entry, shiftKey);
    else if (!loss) actions.onOpen(entry);
  };
  const label = entry.length > 1 ? GALLERY_TEXTS.download : item.downloadLabel;
  return (
    <article className={`flex flex-col h-full ${isDeleting ? 'opacity-45' : ''}`} aria-busy={isDeleting || undefined}>
      <button
        type="button"
        className={`pic block w-full select-none [-webkit-touch-callout:none] ${isSelected ? 'outline-3 outline-ink -outline-offset-3' : ''} ${isSelecting || kind === 'video' ? '' : 'cursor-zoom-in'}`}
        aria-label={`${isSelecting ? 'Выбрать' : 'Открыть'}: ${nameAsShown(entry, title)}`}
        aria-pressed={isSelecting ? isSelected : undefined}
        disabled={loss !== null && !isSelecting}
        {...longPress.handlers}
        onClick={longPress.unlessLong(press)}
      >
        {loss ? <LostPicture /> : pictureUrl ? <ResultPicture url={pictureUrl} alt="" isLazy /> : <SilhouetteBox />}
        <span className="tag plate">
          {kind === 'video' && <Play className="ic ic-s !size-3" />}
          {entry.length > 1 && <Layers className="ic ic-s !size-3" />}
          {entry.length > 1 ? `${tag}: ${entry.length}` : tag}
        </span>
        {isSelecting && (
          <span className={`check absolute right-2 top-2 ${isSelected ? 'on' : ''}`}>
            {isSelected && <Check className="ic ic-s" />}
          </span>
        )}
      </button>
      <h3 className="text-sm font-semibold mt-2.5">
        <ResultTitle title={title} />
      </h3>
      {item.description && <p className="text-xs text-muted line-clamp-2">{item.description}</p>}
      <p className="num text-xs text-muted">
        {headings === 'day' ? formatTime(createdAt) : `${formatDate(createdAt)}, ${formatTime(createdAt)}`}
      </p>
      {entry.some(({ hasDrifted }) => hasDrifted) && (
        <p>
          <DriftTag text={GARMENT_TEXTS.check} />
        </p>
      )}
      <div className="flex gap-1 items-center mt-auto pt-2">
        {loss ? (
          <div className="flex-1">
            <ReturnStars generationId={item.generationId} loss={loss} className="w-full max-sm:!px-1" />
          </div>
        ) : (
          <DownloadButton
            target={toEntryTarget(entry)}
            variant="second"
            size="sm"
            className="flex-1 min-w-0 max-sm:!px-1"
            icon={<Download className="ic ic-s max-[420px]:hidden" />}
            disabled={isDeleting}
            aria-label={`${label}: ${title}`}
          >
            {label}
          </DownloadButton>
        )}
        <IconButton
          label={`Действия: ${title}`}
          className="text-muted"
          disabled={isDeleting}
          onClick={() => actions.onMore(entry)}
        >
          <Ellipsis className="ic" />
        </IconButton>
      </div>
    </article>
  );
}

/** The accessible name includes the tag on the picture, because people who use voice control say what they see. */
function nameAsShown([{ tag, loss }, ...others]: GalleryEntry, title: string): string {
  const shown = others.length > 0 ? `${tag}: ${others.length + 1}` : tag;
  const name = title.includes(shown) ? title : `${title}, ${shown}`;
  return loss ? `${name}, файл потерян` : name;
}
