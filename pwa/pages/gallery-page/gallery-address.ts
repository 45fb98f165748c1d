import { useSearchParams } from 'react-router-dom';
import { DEFAULT_GALLERY_FILTER, type GalleryFilter } from '#pwa/client/gallery-query.ts';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import type { GalleryTab } from '#pwa/features/gallery/gallery-tab.ts';
import { GALLERY_TYPES } from '#shared/rules/tools.ts';

const TABS: readonly GalleryTab[] = ['images', 'videos'];
const SORTS: readonly GalleryFilter['sort'][] = ['newest', 'oldest'];

/** The tab and the filter that the address names, so that a reload and a copied link show the same list. */
export function useGalleryAddress() {
  const [parameters, setParameters] = useSearchParams();
  const change = (values: Record<string, string | null>) =>
    setParameters(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace: true, state: KEEP_SCROLL },
    );
  const named = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === parameters.get(name)) ?? null;
  return {
    /** Null when the address names none. */
    tab: named('tab', TABS),
    setTab: (tab: GalleryTab) => change({ tab }),
    filter: {
      type: named('type', GALLERY_TYPES),
      sort: named('sort', SORTS) ?? DEFAULT_GALLERY_FILTER.sort,
    } satisfies GalleryFilter,
    setFilter: ({ type, sort }: GalleryFilter) =>
      change({ type, sort: sort === DEFAULT_GALLERY_FILTER.sort ? null : sort }),
  };
}
