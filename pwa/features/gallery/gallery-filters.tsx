import { ArrowDownWideNarrow, ArrowUpNarrowWide, ListChecks } from 'lucide-react';
import type { GalleryFilter } from '#pwa/client/gallery-query.ts';
import { Button } from '#pwa/components/button.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { GALLERY_TYPES, type GalleryType } from '#shared/rules/tools.ts';
import { tagResult } from './gallery-item.ts';

export interface GalleryFiltersProps {
  /** Null when the list cannot be filtered. */
  filter: GalleryFilter | null;
  onFilter: (filter: GalleryFilter) => void;
  isSelecting: boolean;
  onSelect: () => void;
}

/** The filter's options. The tool for models and backgrounds has one, under the current name of the tool. */
function listTypes(change: Change, isTryOnOffered: boolean) {
  const labels: Record<GalleryType, string> = {
    photo_generation: tagResult('photosession'),
    model_change: tagResult(change),
    try_on: tagResult('try_on'),
  };
  const offered = GALLERY_TYPES.filter((type) => type !== 'try_on' || isTryOnOffered);
  const types = offered.map((type) => ({ value: type, type, label: labels[type] }));
  return [{ value: 'all', type: null, label: 'Все' } as const, ...types];
}

/** The filter, the order, and the button that starts a selection. */
export function GalleryFilters({ filter, onFilter, isSelecting, onSelect }: GalleryFiltersProps) {
  const types = listTypes(useChange(), useOffered().includes('try_on'));
  const isNewest = filter?.sort === 'newest';
  return (
    <div className="flex flex-wrap items-center gap-2 mt-3 mb-5">
      {filter && (
        <>
          <SegmentedControl
            className="w-full md:w-auto md:[&>*]:px-4 max-md:auto-cols-auto max-md:[&>*]:px-1"
            label="Тип изображений"
            value={filter.type ?? 'all'}
            onChange={(value) =>
              onFilter({ ...filter, type: types.find((type) => type.value === value)?.type ?? null })
            }
            options={types}
          />
          <Button
            variant="quiet"
            size="sm"
            icon={isNewest ? <ArrowDownWideNarrow className="ic ic-s" /> : <ArrowUpNarrowWide className="ic ic-s" />}
            title="Изменить порядок"
            onClick={() => onFilter({ ...filter, sort: isNewest ? 'oldest' : 'newest' })}
          >
            {isNewest ? 'Сначала новые' : 'Сначала старые'}
          </Button>
        </>
      )}
      <Button
        variant="quiet"
        size="sm"
        className="ml-auto"
        icon={<ListChecks className="ic ic-s" />}
        aria-pressed={isSelecting}
        onClick={onSelect}
      >
        Выбрать
      </Button>
    </div>
  );
}
