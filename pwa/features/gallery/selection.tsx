import { CheckCheck, FolderDown, Package, Pencil, Share2, Tag, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useHeightProperty } from '#pwa/device/use-height-property.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { countResults, nb } from '#pwa/format.ts';
import { ARCHIVE_MAX_FILES, RENAMED_MAX } from '#shared/contract/gallery.ts';
import type { GalleryEntry } from './gallery-entries.ts';
import { type GalleryItem, toTarget } from './gallery-item.ts';

/** As many as the server renames, or gives an article, at once. */
const SELECTED_MAX = RENAMED_MAX;

export type Chosen = ReadonlyMap<string, GalleryItem>;

export interface Selection {
  /** The chosen images and videos by id, also those that another list shows. Null when no selection is in progress. */
  chosen: Chosen | null;
  begin: () => void;
  end: () => void;
  /**
   * Begins a selection with an entry, adds it, or takes it out. `isRange`: adds everything from the entry before up to
   * this one, in the order of `entries`.
   */
  toggle: (entry: GalleryEntry, isRange: boolean, entries: readonly GalleryEntry[]) => void;
  addAll: (entries: readonly GalleryEntry[]) => void;
  drop: (items: readonly GalleryItem[]) => void;
}

const NOTHING: Chosen = new Map();

/** The chosen results, images and videos together. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  /** Where the next range begins. */
  const last = useRef<string | null>(null);
  const add = (entries: readonly GalleryEntry[]) => {
    const next = new Map(chosen ?? NOTHING);
    for (const entry of entries) {
      const added = entry.filter(({ id }) => !next.has(id));
      if (next.size + added.length > SELECTED_MAX) {
        toast({ title: nb(`За один раз можно выбрать ${countResults(SELECTED_MAX)}`) });
        break;
      }
      for (const item of added) next.set(item.id, item);
    }
    setChosen(next);
  };
  return {
    chosen,
    begin: () => setChosen(NOTHING),
    end: () => setChosen(null),
    toggle(entry, isRange, entries) {
      const [from, to] = [last.current, entry[0].id].map((id) => entries.findIndex(([first]) => first.id === id));
      last.current = entry[0].id;
      if (isRange && from !== undefined && to !== undefined && from >= 0 && to >= 0) {
        return add(entries.slice(Math.min(from, to), Math.max(from, to) + 1));
      }
      if (!entry.every(({ id }) => chosen?.has(id))) return add([entry]);
      setChosen(without(chosen ?? NOTHING, entry));
    },
    addAll: add,
    drop: (items) => setChosen((now) => now && without(now, items)),
  };
}

function without(chosen: Chosen, items: readonly GalleryItem[]): Chosen {
  return new Map([...chosen].filter(([id]) => !items.some((item) => item.id === id)));
}

export interface SelectionBarProps {
  items: readonly GalleryItem[];
  onAll: () => void;
  onPacks: () => void;
  onArticle: () => void;
  onRename: () => void;
  onDelete: () => void;
  onCancel: () => void;
}

/** A bar at hand during a selection: what can be done with all chosen results. */
export function SelectionBar({ items, onAll, onPacks, onArticle, onRename, onDelete, onCancel }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null);
  useHeightProperty(bar, '--selection-h', true);
  const count = items.length;
  const isEmpty = count === 0;
  const isTooMuch = count > ARCHIVE_MAX_FILES;
  return (
    <section
      ref={bar}
      className="panel sticky z-20 mt-6 p-2 md:px-4 flex flex-wrap items-center gap-x-1 gap-y-1 bottom-[calc(var(--tabbar-h)+var(--safe-b)+12px+var(--cookie-clear,0px))] lg:bottom-[calc(16px+var(--cookie-clear,0px))] !shadow-[0_0_0_1px_var(--color-line),var(--shadow-pop)]"
      aria-label="Выбранное"
    >
      <IconButton label="Отменить выбор" onClick={onCancel}>
        <X className="ic" />
      </IconButton>
      <p className="num font-semibold flex-1 min-w-fit" role="status">
        {isEmpty ? 'Выберите результаты' : `Выбрано: ${count}`}
      </p>
      <Button
        variant="quiet"
        size="sm"
        className="max-md:!px-2"
        icon={<CheckCheck className="ic ic-s max-[420px]:hidden" />}
        onClick={onAll}
      >
        Выбрать все
      </Button>
      <div className="flex flex-wrap gap-1 max-md:w-full max-md:*:flex-1 max-md:*:!px-1 max-[360px]:*:!basis-2/5">
        <Button
          variant="quiet"
          size="sm"
          icon={<Package className="ic ic-s max-[420px]:hidden" />}
          disabled={isEmpty}
          onClick={onPacks}
        >
          Пакеты
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={<Tag className="ic ic-s max-[420px]:hidden" />}
          disabled={isEmpty}
          onClick={onArticle}
        >
          Артикул
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={<Pencil className="ic ic-s max-[420px]:hidden" />}
          disabled={isEmpty}
          onClick={onRename}
        >
          Переименовать
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={<Trash2 className="ic ic-s max-[420px]:hidden" />}
          disabled={isEmpty}
          onClick={onDelete}
        >
          Удалить
        </Button>
        <div className="grid grid-flow-col auto-cols-fr gap-1 max-md:w-full max-md:!flex-none">
          <ShareButton
            targets={items.filter(({ loss }) => !loss).map(toTarget)}
            size="sm"
            icon={<Share2 className="ic ic-s max-[420px]:hidden" />}
          />
          <DownloadButton
            target={{ kind: 'archive', ids: items.map(({ id }) => id), pictureUrl: items[0]?.pictureUrl ?? null }}
            size="sm"
            icon={<FolderDown className="ic ic-s max-[420px]:hidden" />}
            disabled={isEmpty}
            disabledReason={isTooMuch ? nb(`ZIP вмещает до ${ARCHIVE_MAX_FILES} файлов`) : null}
          >
            Скачать ZIP
          </DownloadButton>
        </div>
      </div>
    </section>
  );
}
