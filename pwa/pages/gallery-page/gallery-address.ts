import { useSearchParams } from 'react-router-dom';
import { DEFAULT_GALLERY_FILTER, type GalleryFilter } from '#pwa/client/gallery-query.ts';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { HEADINGS, type Headings } from '#pwa/features/gallery/gallery-entries.ts';
import { SEARCH_PARAMETER } from '#shared/rules/app-paths.ts';
import { GALLERY_TYPES } from '#shared/rules/tools.ts';

export const GALLERY_TABS = ['all', 'images', 'videos'] as const;
export type GalleryTab = (typeof GALLERY_TABS)[number];
const DEFAULT_HEADINGS: Headings = 'day';
const SORTS: readonly GalleryFilter['sort'][] = ['newest', 'oldest'];

/** In localStorage, because the list must be right in the first frame. */
const HEADINGS_KEY = 'podium.galleryHeadings';

/**
 * The tab, the filter and the headings that the address names, so that a reload and a copied link show the same list. The
 * headings of the last visit stay on the device.
 */
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
  const kept = () => HEADINGS.find((value) => value === localStorage.getItem(HEADINGS_KEY));
  const named = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === parameters.get(name)) ?? null;
  return {
    tab: named('tab', GALLERY_TABS) ?? 'all',
    /** A search is of all results, so another tab ends it. */
    setTab: (tab: GalleryTab) =>
      change({ tab: tab === 'all' ? null : tab, ...(tab === 'all' ? {} : { [SEARCH_PARAMETER]: null }) }),
    headings: named('headings', HEADINGS) ?? kept() ?? DEFAULT_HEADINGS,
    setHeadings(headings: Headings) {
      const isUsual = headings === DEFAULT_HEADINGS;
      if (isUsual) localStorage.removeItem(HEADINGS_KEY);
      else localStorage.setItem(HEADINGS_KEY, headings);
      change({ headings: isUsual ? null : headings });
    },
    filter: {
      type: named('type', GALLERY_TYPES),
      sort: named('sort', SORTS) ?? DEFAULT_GALLERY_FILTER.sort,
    } satisfies GalleryFilter,
    setFilter: ({ type, sort }: GalleryFilter) =>
      change({ type, sort: sort === DEFAULT_GALLERY_FILTER.sort ? null : sort }),
  };
}
