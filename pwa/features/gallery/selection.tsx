import { FolderDown, Share2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { nb } from '#pwa/format.ts';
import { ARCHIVE_MAX_FILES } from '#shared/contract/gallery.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { type GalleryItem, toTarget } from './gallery-item.ts';

export interface Selection {
  /** Null when no selection is in progress. */
  ids: ReadonlySet<string> | null;
  /** In the order of the presses. */
  items: GalleryItem[];
  begin: () => void;
  end: () => void;
  toggle: (item: GalleryItem) => void;
  drop: (item: GalleryItem) => void;
}

type Chosen = ReadonlyMap<string, GalleryItem>;
const NOTHING: Chosen = new Map();

/** The results chosen to be taken away together, images and videos. */
export function useSelection(): Selection {
  const [chosen, choose] = useState<Chosen | null>(null);
  return {
    ids: useMemo(() => chosen && new Set(chosen.keys()), [chosen]),
    items: useMemo(() => [...(chosen?.values() ?? [])], [chosen]),
    begin: () => choose(NOTHING),
    end: () => choose(null),
    toggle: useCallback(
      (item: GalleryItem) => {
        const before = chosen ?? NOTHING;
        if (before.has(item.id)) return choose(without(before, item.id));
        if (before.size < ARCHIVE_MAX_FILES) return choose(new Map([...before, [item.id, item]]));
        const files = pluralize(ARCHIVE_MAX_FILES, ['файл', 'файла', 'файлов']);
        toast({ title: nb(`В один архив помещается ${ARCHIVE_MAX_FILES} ${files}`) });
      },
      [chosen],
    ),
    drop: ({ id }) => choose((before) => before && without(before, id)),
  };
}

function without(chosen: Chosen, id: string): Chosen {
  return new Map([...chosen].filter(([other]) => other !== id));
}

export interface SelectionBarProps {
  items: readonly GalleryItem[];
  onCancel: () => void;
}

/** A bar that stays visible during a selection. */
export function SelectionBar({ items, onCancel }: SelectionBarProps) {
  const count = items.length;
  return (
    <section
      className="panel sticky z-20 mt-6 p-3 md:px-5 flex flex-wrap items-center gap-x-4 gap-y-2 bottom-[calc(var(--tabbar-h)+var(--safe-b)+12px+var(--cookie-clear,0px))] lg:bottom-[calc(16px+var(--cookie-clear,0px))] !shadow-[0_0_0_1px_var(--color-line),var(--shadow-pop)]"
      aria-label="Выбранное"
    >
      <p className="num font-semibold min-w-fit max-md:flex-1" role="status">
        {count === 0 ? nb(`Выберите до ${ARCHIVE_MAX_FILES} файлов`) : nb(`Выбрано ${count} из ${ARCHIVE_MAX_FILES}`)}
      </p>
      <Button variant="quiet" size="sm" onClick={onCancel}>
        Отмена
      </Button>
      <ShareButton
        targets={items.filter(({ loss }) => !loss).map(toTarget)}
        size="sm"
        className="max-md:flex-1"
        icon={<Share2 className="ic ic-s" />}
      />
      <DownloadButton
        target={{ kind: 'archive', ids: items.map(({ id }) => id), pictureUrl: items[0]?.pictureUrl ?? null }}
        size="sm"
        className="max-md:flex-1"
        icon={<FolderDown className="ic ic-s" />}
        disabled={count === 0}
      >
        Скачать ZIP
      </DownloadButton>
    </section>
  );
}
