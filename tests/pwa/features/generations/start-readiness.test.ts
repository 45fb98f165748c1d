import { describe, expect, it } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import {
  checkStartReadiness,
  isShortOfStars,
  type StartConditions,
} from '#pwa/features/generations/start-readiness.ts';

const ready: StartConditions = {
  price: 2,
  hasPhoto: true,
  balance: 3,
  promisedStars: 0,
  isEmailVerified: true,
  isOnline: true,
  obstacle: null,
};

describe('whether a generation can be started', () => {
  it('tells the price and what remains', () => {
    expect(checkStartReadiness(ready)).toEqual({ state: 'ready', price: 2, remaining: 1 });
    expect(checkStartReadiness({ ...ready, price: 3 })).toEqual({ state: 'ready', price: 3, remaining: 0 });
  });

  it.each([
    [{ hasPhoto: false, isOnline: false, isEmailVerified: false, balance: 0 }, 'Сначала загрузите фото'],
    [{ isOnline: false, isEmailVerified: false, balance: 0 }, 'Нет сети'],
    [{ isEmailVerified: false, balance: 0 }, 'Сначала подтвердите email'],
    [{ balance: 1 }, 'Недостаточно звезд'],
  ])('names the first obstacle of %o', (conditions, reason) => {
    expect(checkStartReadiness({ ...ready, ...conditions })).toMatchObject({ reason });
  });

  it('names what closes the tool before everything else, but not without a network, where it may be over', () => {
    const obstacle = { code: 'engine_maintenance', message: 'Инструмент на обслуживании' } as const;
    const conditions = { ...ready, hasPhoto: false, balance: 0, obstacle };
    expect(checkStartReadiness(conditions)).toMatchObject({ state: 'obstacle', reason: 'Инструмент на обслуживании' });
    expect(checkStartReadiness({ ...conditions, isOnline: false })).toMatchObject({ state: 'photo_missing' });
  });

  it('leaves the decision to the server while the balance is unknown', () => {
    expect(checkStartReadiness({ ...ready, balance: null })).toEqual({ state: 'ready', price: 2, remaining: null });
  });
});

it('a refused start is short of stars by its code, and by its text where there is no code', () => {
  const refuse = (body: object) => new ApiError(402, 'x', body);
  expect(isShortOfStars(refuse({ code: 'not_enough_stars', message: 'Нет' }))).toBe(true);
  expect(isShortOfStars(refuse({ message: 'Недостаточно звезд на балансе' }))).toBe(true);
  expect(isShortOfStars(refuse({ code: 'premium_required', message: 'Недостаточно звезд' }))).toBe(false);
  expect(isShortOfStars(new Error('Недостаточно звезд'))).toBe(false);
});
