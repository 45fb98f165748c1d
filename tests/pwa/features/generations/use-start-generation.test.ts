import { expect, it } from 'vitest';
import { isShortOfStars } from '#pwa/features/generations/use-start-generation.ts';
import { ApiError } from '#pwa/lib/api-error.ts';

it('a refused start is short of stars by its code, and by its text where there is no code', () => {
  const refuse = (body: object) => new ApiError(402, 'x', body);
  expect(isShortOfStars(refuse({ code: 'not_enough_stars', message: 'Нет' }))).toBe(true);
  expect(isShortOfStars(refuse({ message: 'Недостаточно звезд на балансе' }))).toBe(true);
  expect(isShortOfStars(refuse({ code: 'premium_required', message: 'Недостаточно звезд' }))).toBe(false);
  expect(isShortOfStars(new Error('Недостаточно звезд'))).toBe(false);
});
