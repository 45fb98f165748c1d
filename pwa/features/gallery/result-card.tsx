import { Check, Download, Play, Trash2 } from 'lucide-react';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { DriftTag } from '#pwa/features/generations/drift-tag.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { LostPicture, ReturnStars } from '#pwa/features/generations/loss-notice.tsx';
import { formatDate } from '#pwa/format.ts';
import { type GalleryItem, toTarget } from './gallery-item.ts';
import { MarketplaceLine } from './marketplace-line.tsx';

export interface CardActions {
  onOpen: (item: GalleryItem) => void;
  onDelete: (item: GalleryItem) => void;
  onMarketplaces: (item: GalleryItem) => void;
  onToggle: (item: GalleryItem) => void;
}

export interface ResultCardProps {
  item: GalleryItem;
  isDeleting: boolean;
  /** Null when no selection is in progress. */
  isSelected: boolean | null;
  actions: CardActions;
}

/** A result of the gallery. During a selection a press on its picture selects it. */
export function ResultCard({ item, isDeleting, isSelected, actions }: ResultCardProps) {
  const isSelecting = isSelected !== null;
  return (
    <article className={`flex flex-col h-full ${isDeleting ? 'opacity-45' : ''}`} aria-busy={isDeleting || undefined}>
      <button
        type="button"
        className={`pic block w-full ${isSelected ? 'outline-3 outline-ink -outline-offset-3' : ''} ${isSelecting || item.kind === 'video' ? '' : 'cursor-zoom-in'}`}
        aria-label={`${isSelecting ? 'Выбрать' : 'Открыть'}: ${nameAsShown(item)}`}
        aria-pressed={isSelecting ? isSelected : undefined}
        disabled={item.loss !== null && !isSelecting}
        onClick={() => (isSelecting ? actions.onToggle(item) : actions.onOpen(item))}
      >
        {item.loss ? (
          <LostPicture />
        ) : item.pictureUrl ? (
          <ResultPicture url={item.pictureUrl} alt="" isLazy />
        ) : (
          <SilhouetteBox />
        )}
        <span className="tag plate">
          {item.kind === 'video' && <Play className="ic ic-s !size-3" />}
          {item.tag}
        </span>
        {isSelecting && (
          <span className={`check absolute right-2 top-2 ${isSelected ? 'on' : ''}`}>
            {isSelected && <Check className="ic ic-s" />}
          </span>
        )}
      </button>
      <h2 className="text-sm font-semibold mt-2.5">
        <ResultTitle title={item.title} />
      </h2>
      {item.description && <p className="text-xs text-muted line-clamp-2">{item.description}</p>}
      <p className="num text-xs text-muted">{formatDate(item.createdAt)}</p>
      {item.hasDrifted && (
        <p>
          <DriftTag text={GARMENT_TEXTS.check} />
        </p>
      )}
      <div className="mt-auto">
        {!item.loss && <MarketplaceLine item={item} onOpen={() => actions.onMarketplaces(item)} />}
      </div>
      <div className="flex gap-1 items-center">
        {item.loss ? (
          <div className="flex-1">
            <ReturnStars generationId={item.generationId} loss={item.loss} className="w-full max-sm:!px-1" />
          </div>
        ) : (
          <DownloadButton
            target={toTarget(item)}
            variant="second"
            size="sm"
            className="flex-1 max-sm:!px-1"
            icon={<Download className="ic ic-s max-[420px]:hidden" />}
            disabled={isDeleting}
            aria-label={`${item.downloadLabel}: ${item.title}`}
          >
            {item.downloadLabel}
          </DownloadButton>
        )}
        <IconButton
          label={`Удалить: ${item.title}`}
          className="text-muted"
          disabled={isDeleting}
          onClick={() => actions.onDelete(item)}
        >
          <Trash2 className="ic" />
        </IconButton>
      </div>
    </article>
  );
}

/** The accessible name includes the tag on the picture, because people who use voice control say what they see. */
function nameAsShown({ title, tag, loss }: GalleryItem): string {
  const name = title.includes(tag) ? title : `${title}, ${tag}`;
  return loss ? `${name}, файл потерян` : name;
}
