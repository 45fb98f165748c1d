/** What is tried on. `auto`: the engine has to see it. The others are named as engines name them. */
export const GARMENT_CATEGORIES = ['auto', 'tops', 'bottoms', 'one-pieces'] as const;
export type GarmentCategory = (typeof GARMENT_CATEGORIES)[number];
export const DEFAULT_GARMENT_CATEGORY: GarmentCategory = 'auto';

export const GARMENT_CATEGORY_NAMES: Record<GarmentCategory, string> = {
  auto: 'Авто',
  tops: 'Верх',
  bottoms: 'Низ',
  'one-pieces': 'Платье или комбинезон',
};

export function describeGarment(category: GarmentCategory): string {
  return category === 'auto' ? 'Определим по фото' : GARMENT_CATEGORY_NAMES[category];
}
