import { FolderDown } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';
import { ARCHIVE_MAX_FILES } from '#shared/contract/gallery.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import type { GalleryItem } from './gallery-item.ts';

export interface Selection {
  /** Null when no selection is in progress. */
  ids: ReadonlySet<string> | null;
  begin: () => void;
  end: () => void;
  toggle: (item: GalleryItem) => void;
  drop: (item: GalleryItem) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The results chosen for one archive, images and videos together. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  return {
    ids,
    begin: () => setIds(NOTHING),
    end: () => setIds(null),
    toggle: useCallback(
      ({ id }: GalleryItem) => {
        const chosen = ids ?? NOTHING;
        if (chosen.has(id)) return setIds(without(chosen, id));
        if (chosen.size < ARCHIVE_MAX_FILES) return setIds(new Set([...chosen, id]));
        const files = pluralize(ARCHIVE_MAX_FILES, ['файл', 'файла', 'файлов']);
        toast({ title: nb(`В один архив помещается ${ARCHIVE_MAX_FILES} ${files}`) });
      },
      [ids],
    ),
    drop: ({ id }) => setIds((chosen) => chosen && without(chosen, id)),
  };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((other) => other !== id));
}

export interface SelectionBarProps {
  count: number;
  onDownload: () => void;
  onCancel: () => void;
}

/** A bar that stays visible during a selection. */
export function SelectionBar({ count, onDownload, onCancel }: SelectionBarProps) {
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
      <Button
        size="sm"
        className="max-md:w-full"
        icon={<FolderDown className="ic ic-s" />}
        disabled={count === 0}
        onClick={onDownload}
      >
        Скачать ZIP
      </Button>
    </section>
  );
}
