import {
  BadgeCheck,
  CircleCheckBig,
  Clapperboard,
  Download,
  Flag,
  Layers,
  type LucideIcon,
  Pencil,
  Share2,
  Tag,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '#pwa/components/dialog.tsx';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { LikeLink } from '#pwa/features/generations/like-link.tsx';
import { REPORT_TEXTS } from '#pwa/features/generations/report-texts.ts';
import { formatLongMoment, nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { type GalleryEntry, isFrame, titleEntry, toEntryTarget } from './gallery-entries.ts';
import { toTarget } from './gallery-item.ts';
import { MarketplaceVerdicts } from './marketplace-verdicts.tsx';

/** Everything that can be done with an entry. Null where it cannot be done here. */
export interface SheetActions {
  onMarketplaces: (entry: GalleryEntry) => void;
  onMakeVideo: ((entry: GalleryEntry) => void) | null;
  onArticle: (entry: GalleryEntry) => void;
  onRename: (entry: GalleryEntry) => void;
  onSelect: (entry: GalleryEntry) => void;
  /** Shows the frames of a session one by one, or together again. */
  onUnfold: (entry: GalleryEntry) => void;
  onCheck: (entry: GalleryEntry) => void;
  onReport: (entry: GalleryEntry) => void;
  onDelete: (entry: GalleryEntry) => void;
}

export interface ResultSheetProps {
  /** Null closes the sheet. */
  entry: GalleryEntry | null;
  onClose: () => void;
  actions: SheetActions;
}

/** The sheet of actions for a result, or for the frames of a photo session together. */
export function ResultSheet({ entry, onClose, actions }: ResultSheetProps) {
  const title = entry ? titleEntry(entry) : '';
  /** The sheet closes first, because each dialog has its own history entry. */
  const leave = (then: (chosen: GalleryEntry) => void) => () => {
    onClose();
    if (entry) then(entry);
  };
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={onClose}
      title={title}
      description={entry && `${entry[0].tag}, ${formatLongMoment(entry[0].createdAt)}`}
      size="sm"
    >
      {entry && <SheetRows entry={entry} title={title} actions={actions} leave={leave} />}
    </Dialog>
  );
}

interface SheetRowsProps {
  entry: GalleryEntry;
  title: string;
  actions: SheetActions;
  leave: (then: (chosen: GalleryEntry) => void) => () => void;
}

function SheetRows({ entry, title, actions, leave }: SheetRowsProps) {
  const [item] = entry;
  const isSingle = entry.length === 1;
  // A list may have loaded or found only a part of a session: what is done with that part says with how many.
  const frames = `${entry.length} ${pluralize(entry.length, ['кадр', 'кадра', 'кадров'])}`;
  const deletion = isSingle ? 'Удалить' : nb(`Удалить ${frames}`);
  const isThere = item.loss === null;
  const article = item.name.product?.article;
  return (
    <ul className="-mx-3 -mb-2">
      {isThere && (
        <li>
          <DownloadButton {...TAKING} target={toEntryTarget(entry)} icon={<Download className="ic" />}>
            {isSingle ? item.downloadLabel : 'Скачать все кадры (ZIP)'}
          </DownloadButton>
        </li>
      )}
      {isThere && (
        <li className="empty:hidden">
          <ShareButton {...TAKING} targets={entry.map(toTarget)} icon={<Share2 className="ic" />} />
        </li>
      )}
      {isThere && isSingle && (
        <Row icon={BadgeCheck} label="Для маркетплейсов" onPress={leave(actions.onMarketplaces)}>
          <MarketplaceVerdicts item={item} />
        </Row>
      )}
      {isThere && isSingle && item.kind === 'image' && actions.onMakeVideo && (
        <Row icon={Clapperboard} label="Сделать видео" onPress={leave(actions.onMakeVideo)} />
      )}
      <Row icon={Tag} label={article ? `Артикул: ${article}` : 'Указать артикул'} onPress={leave(actions.onArticle)} />
      <Row icon={Pencil} label="Переименовать" onPress={leave(actions.onRename)} />
      {isFrame(item) && (
        <Row
          icon={Layers}
          label={isSingle ? 'Собрать кадры вместе' : 'Показать кадры отдельно'}
          onPress={leave(actions.onUnfold)}
        />
      )}
      <li className="empty:hidden">
        <LikeLink
          variant="quiet"
          className={`${TAKING.className} w-full`}
          generationId={item.generationId}
          made={item.made}
        />
      </li>
      <Row icon={CircleCheckBig} label="Выбрать" onPress={leave(actions.onSelect)} />
      {isSingle && item.hasDrifted && (
        <Row icon={TriangleAlert} label={GARMENT_TEXTS.check} onPress={leave(actions.onCheck)} />
      )}
      {isSingle && <Row icon={Flag} label={REPORT_TEXTS.complain} onPress={leave(actions.onReport)} />}
      <Row
        icon={Trash2}
        label={deletion}
        name={`${deletion}: ${title}`}
        className="text-danger"
        onPress={leave(actions.onDelete)}
      />
    </ul>
  );
}

/** A button that looks like a row. */
const TAKING = { variant: 'quiet', wide: true, className: '!justify-start !px-3 !gap-3 min-h-12' } as const;

interface RowProps {
  icon: LucideIcon;
  label: string;
  /** Read out by screen readers instead of the label. */
  name?: string;
  className?: string;
  onPress: () => void;
  children?: ReactNode;
}

function Row({ icon: Icon, label, name, className = '', onPress, children }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={`flex items-center gap-3 w-full min-h-12 px-3 py-1.5 rounded-control text-left font-medium hover:bg-sunken ${className}`}
        aria-label={name}
        onClick={onPress}
      >
        <Icon className="ic" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {label}
          {children}
        </span>
      </button>
    </li>
  );
}
