import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { nb } from '#pwa/format.ts';
import { GARMENT_CATEGORIES, GARMENT_CATEGORY_NAMES, type GarmentCategory } from '#shared/rules/garments.ts';

const CATEGORY_HINTS: Record<GarmentCategory, string> = {
  auto: 'Определим по фото',
  tops: 'Рубашка, свитер, куртка',
  bottoms: 'Брюки, юбка, шорты',
  'one-pieces': 'Вещь целиком',
};

export interface CategoryChoiceProps {
  value: GarmentCategory;
  onChange: (category: GarmentCategory) => void;
}

export function CategoryChoice({ value, onChange }: CategoryChoiceProps) {
  return (
    <>
      <h2 className="sec mb-2.5">Что за вещь</h2>
      <RadioGroup label="Что за вещь" value={value} onChange={onChange} className="grid grid-cols-2 gap-2">
        {GARMENT_CATEGORIES.map((category) => (
          <OptionCard key={category} value={category} className="p-3 pr-8 text-left">
            <span className="block text-sm font-medium">{nb(GARMENT_CATEGORY_NAMES[category])}</span>
            <span className="block text-xs text-muted mt-0.5">{nb(CATEGORY_HINTS[category])}</span>
          </OptionCard>
        ))}
      </RadioGroup>
    </>
  );
}
