import { expect, test } from 'vitest';
import { findStarTier } from '#shared/rules/star-tiers.ts';

test('the tier of a package follows its number of stars', () => {
  const badges = [1, 19, 20, 49, 50, 99, 100, 1000].map((stars) => findStarTier(stars).badge);
  expect(badges).toEqual([null, null, 'ВЫГОДНЫЙ', 'ВЫГОДНЫЙ', 'ПОПУЛЯРНЫЙ', 'ПОПУЛЯРНЫЙ', 'ПРЕМИУМ', 'ПРЕМИУМ']);
  expect([10, 20, 50, 100].map((stars) => findStarTier(stars).text)).toEqual([
    'Идеально для начинающих',
    'Отличное соотношение цены и качества',
    'Лучший выбор большинства пользователей',
    'Максимальная выгода! Идеально для профессионалов',
  ]);
});
