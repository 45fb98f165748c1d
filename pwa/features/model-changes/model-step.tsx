import { useState } from 'react';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import type { CatalogueModel } from '#shared/contract/catalogue.ts';
import { type AgeRange, filterModels, formatAgeRange, type ModelCategory } from './catalogue.ts';
import { CataloguePicture } from './catalogue-picture.tsx';
import { FilterChips } from './filter-chips.tsx';

const CATEGORIES: ReadonlyArray<{ value: ModelCategory; name: string }> = [
  { value: 'women', name: 'Женщины' },
  { value: 'men', name: 'Мужчины' },
];
const AGES: ReadonlyArray<{ value: AgeRange | 'all'; label: string }> = [
  { value: 'all', label: 'Все' },
  { value: '18-25', label: formatAgeRange('18-25') },
  { value: '26-35', label: formatAgeRange('26-35') },
];

export interface ModelStepProps {
  models: readonly CatalogueModel[];
  chosenId: string | null;
  onChoose: (modelId: string) => void;
}

/** The choice of one model of the catalogue, by sex and age. */
export function ModelStep({ models, chosenId, onChoose }: ModelStepProps) {
  const [category, setCategory] = useState<ModelCategory>(
    () => models.find(({ id }) => id === chosenId)?.category ?? 'women',
  );
  const [ageRange, setAgeRange] = useState<AgeRange | 'all'>('all');
  const shown = filterModels(models, { category, ageRange });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 mb-4">
        <SegmentedControl
          className="w-full sm:w-[320px]"
          label="Пол модели"
          value={category}
          onChange={setCategory}
          options={CATEGORIES.map(({ value, name }) => ({
            value,
            label: (
              <>
                {name} <span className="num">{models.filter((model) => model.category === value).length}</span>
              </>
            ),
          }))}
        />
        <FilterChips label="Возраст" value={ageRange} onChange={setAgeRange} options={AGES} />
      </div>
      <RadioGroup
        label="Модель"
        value={chosenId}
        onChange={onChoose}
        className="grid grid-cols-2 min-[360px]:grid-cols-3 md:grid-cols-5 lg:grid-cols-3 xl:grid-cols-5 gap-2 md:gap-3"
      >
        {shown.map((model) => (
          <OptionCard key={model.id} value={model.id} className="p-0.5">
            <CataloguePicture item={model} className="block w-full aspect-[4/5] rounded-t-[4px] object-[50%_10%]" />
            <span className="flex justify-between gap-1 px-2 py-2 text-sm">
              <span className="font-medium truncate">{model.name}</span>
              <span className="num text-muted whitespace-nowrap max-md:hidden">{formatAgeRange(model.ageRange)}</span>
            </span>
          </OptionCard>
        ))}
      </RadioGroup>
      {shown.length === 0 && <p className="text-muted text-sm">Таких моделей пока нет</p>}
    </>
  );
}
