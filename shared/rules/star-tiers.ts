export interface StarTier {
  /** Packages of at least this many stars belong to the tier. */
  minStars: number;
  badge: string | null;
  text: string;
}

/** Largest first, as the specification defines them. */
const STAR_TIERS = [
  { minStars: 100, badge: 'ПРЕМИУМ', text: 'Максимальная выгода! Идеально для профессионалов' },
  { minStars: 50, badge: 'ПОПУЛЯРНЫЙ', text: 'Лучший выбор большинства пользователей' },
  { minStars: 20, badge: 'ВЫГОДНЫЙ', text: 'Отличное соотношение цены и качества' },
] as const satisfies readonly StarTier[];
const LOWEST_TIER = { minStars: 0, badge: null, text: 'Идеально для начинающих' } as const satisfies StarTier;

export function findStarTier(stars: number): (typeof STAR_TIERS)[number] | typeof LOWEST_TIER {
  return STAR_TIERS.find(({ minStars }) => stars >= minStars) ?? LOWEST_TIER;
}
