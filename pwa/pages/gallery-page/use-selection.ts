import { useCallback, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import type { GalleryItem } from '#pwa/features/gallery/gallery-item.ts';
import { nb } from '#pwa/lib/format.ts';
import { ARCHIVE_MAX_FILES } from '#shared/contract/gallery.ts';
import { pluralize } from '#shared/rules/plurals.ts';

export interface Selection {
  /** Null: nothing is being selected now. */
  ids: ReadonlySet<string> | null;
  begin: () => void;
  end: () => void;
  toggle: (item: GalleryItem) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Results chosen for one archive, images and videos together. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  return {
    ids,
    begin: useCallback(() => setIds(NOTHING), []),
    end: useCallback(() => setIds(null), []),
    toggle: useCallback(
      ({ id }: GalleryItem) => {
        const chosen = ids ?? NOTHING;
        if (chosen.has(id)) return setIds(new Set([...chosen].filter((other) => other !== id)));
        if (chosen.size < ARCHIVE_MAX_FILES) return setIds(new Set([...chosen, id]));
        const files = pluralize(ARCHIVE_MAX_FILES, ['файл', 'файла', 'файлов']);
        toast({ title: nb(`В один архив помещается ${ARCHIVE_MAX_FILES} ${files}`) });
      },
      [ids],
    ),
  };
}
