import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import type { GalleryFilter } from '#pwa/client/gallery-query.ts';
import { Button } from '#pwa/components/button.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { GALLERY_TYPES, type GalleryType } from '#shared/rules/tools.ts';
import type { Headings } from './gallery-entries.ts';
import { tagResult } from './gallery-item.ts';

export interface ViewOptionsProps {
  filter: GalleryFilter;
  onFilter: (filter: GalleryFilter) => void;
  headings: Headings;
  onHeadings: (headings: Headings) => void;
  /** Whether the list has images alone, whose type can be chosen. */
  hasTypes: boolean;
  hasOrder: boolean;
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

const HEADING_OPTIONS = [
  { value: 'day', label: 'По дням' },
  { value: 'product', label: 'По товарам' },
] as const;

/** What the list shows and how: the type of images, headings, order. */
export function ViewOptions({ filter, onFilter, headings, onHeadings, hasTypes, hasOrder }: ViewOptionsProps) {
  const types = listTypes(useChange(), useOffered().includes('try_on'));
  const isNewest = filter.sort === 'newest';
  return (
    <>
      {hasTypes && (
        <SegmentedControl
          className="lg:[&>*]:px-4 auto-cols-auto max-lg:[&>*]:px-1"
          label="Тип изображений"
          value={filter.type ?? 'all'}
          onChange={(value) => onFilter({ ...filter, type: types.find((type) => type.value === value)?.type ?? null })}
          options={types}
        />
      )}
      <SegmentedControl
        className="lg:[&>*]:px-4"
        label="Заголовки"
        value={headings}
        onChange={onHeadings}
        options={HEADING_OPTIONS}
      />
      {hasOrder && (
        <Button
          variant="quiet"
          size="sm"
          className="max-lg:justify-start"
          icon={isNewest ? <ArrowDownWideNarrow className="ic ic-s" /> : <ArrowUpNarrowWide className="ic ic-s" />}
          title="Изменить порядок"
          onClick={() => onFilter({ ...filter, sort: isNewest ? 'oldest' : 'newest' })}
        >
          {isNewest ? 'Сначала новые' : 'Сначала старые'}
        </Button>
      )}
    </>
  );
}
