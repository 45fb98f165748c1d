import { expect, test } from 'vitest';
import { warnOfSmallShares } from '#api/services/generations/engine-health/budget-shares.ts';
import { createFakeEngine } from '#tests/support/fake-engine.ts';

const PRICES = { video: 300_000, model_change: 40_000, photosession: 50_000, try_on: 75_000 };
const engine = {
  ...createFakeEngine(),
  name: 'fal',
  outputsOfOrder: 'apart' as const,
  priceOf: ({ kind }: { kind: keyof typeof PRICES }) => ({ micros: PRICES[kind], currency: 'USD' }),
};
const MADE = { video: 'fal', model_change: 'fal', photosession: 'fal', try_on: 'fal' } as const;
const warn = (budget: number | null, engines: Parameters<typeof warnOfSmallShares>[0]['engines'] = MADE) =>
  warnOfSmallShares({ engines, engineDailyBudgetMicros: budget }, engine);

test('a budget whose shares pay for the dearest order is enough, and so is none', () => {
  expect(warn(6_000_000)).toBeNull();
  expect(warn(null)).toBeNull();
});

test('a budget that keeps accounts without a payment from the dearest order is told with what it needs', () => {
  expect(warn(5_990_000)).toBe(
    'ENGINE_DAILY_BUDGET is 5.99, and the dearest order of fal costs 0.3: an account that has never paid may use 5 % of it a day, so it needs 6',
  );
});

test('one that keeps paying accounts from it, too, tells both', () => {
  expect(warn(1_200_000)).not.toContain('25 %');
  expect(warn(1_190_000)).toMatch(/so it needs 6, and one that has paid may use 25 %, for which 1\.2 is needed$/);
});

test('all frames of a session are one order, and only the tools that the engine gets count', () => {
  expect(warn(4_000_000, { ...MADE, video: 'local' })).toMatch(/costs 0\.25: .* so it needs 5$/);
  expect(warn(1_500_000, { ...MADE, video: 'local', photosession: 'local' })).toBeNull();
});
