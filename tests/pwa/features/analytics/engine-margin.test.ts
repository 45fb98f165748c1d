import { expect, it } from 'vitest';
import {
  addUp,
  computeMargin,
  findBreakEvenRate,
  keepRates,
  readRates,
  withRate,
} from '#pwa/features/analytics/engine-margin.ts';
import type { EngineFigures } from '#shared/contract/engines.ts';

const cost = (currency: string, amount: number) => ({
  currency,
  amount,
  resubmits: amount / 10,
  rerolls: 0,
  uncertain: 0,
});
const row = (revenueRub: number | null, ...costs: EngineFigures['costs']): EngineFigures => ({
  engine: 'fal',
  kind: 'video',
  orders: 1,
  completed: 1,
  cancelled: 0,
  failed: 0,
  failures: [],
  jobs: 1,
  stars: 2,
  medianSeconds: null,
  p90Seconds: null,
  costs,
  revenueRub,
});

it('a margin needs a rate for every foreign currency, and none for roubles', () => {
  expect(computeMargin(row(100, cost('USD', 0.5)), {})).toBeNull();
  expect(computeMargin(row(100, cost('USD', 0.5)), { USD: 80 })).toEqual({ roubles: 60, share: 0.6 });
  expect(computeMargin(row(100, cost('RUB', 25)), {})).toEqual({ roubles: 75, share: 0.75 });
  expect(computeMargin(row(100, cost('USD', 0.5), cost('EUR', 1)), { USD: 80 })).toBeNull();
  expect(computeMargin(row(100), {})).toEqual({ roubles: 100, share: 1 });
});

it('a loss has a negative margin, and without revenue there is no share', () => {
  expect(computeMargin(row(100, cost('USD', 2)), { USD: 80 })).toEqual({ roubles: -60, share: -0.6 });
  expect(computeMargin(row(0, cost('USD', 2)), { USD: 80 })).toEqual({ roubles: -160, share: null });
  expect(computeMargin(row(null, cost('USD', 2)), { USD: 80 })).toBeNull();
});

it('costs and revenue are equal at the break-even rate', () => {
  const even = findBreakEvenRate(row(800, cost('USD', 5)));
  expect(even).toEqual({ currency: 'USD', rate: 160 });
  expect(computeMargin(row(800, cost('USD', 5)), { USD: even?.rate ?? 0 })?.roubles).toBe(0);
  for (const without of [row(800), row(800, cost('RUB', 5)), row(800, cost('USD', 0)), row(null, cost('USD', 5))]) {
    expect(findBreakEvenRate(without)).toBeNull();
  }
  expect(findBreakEvenRate(row(800, cost('USD', 5), cost('EUR', 5)))).toBeNull();
});

it('rows are added up by currency, and an unknown revenue makes the sum unknown', () => {
  const rows = [row(10, cost('USD', 1)), row(20, cost('USD', 2), cost('EUR', 5)), row(5)];
  expect(addUp(rows)).toEqual({
    costs: [{ ...cost('USD', 3), resubmits: expect.closeTo(0.3) }, cost('EUR', 5)],
    stars: 6,
    revenueRub: 35,
  });
  expect(addUp([...rows, row(null)]).revenueRub).toBeNull();
});

it('rates are read from the address, with a comma or a point, and nonsense is left out', () => {
  const search = new URLSearchParams('tab=engines&rate.USD=92,5&rate.EUR=100.1&rate.CNY=-3&rate.GBP=oops&rate.usd=1');
  expect(readRates(search)).toEqual({ USD: 92.5, EUR: 100.1 });
  expect(withRate(search, 'EUR', '').has('rate.EUR')).toBe(false);
  expect(withRate(search, 'USD', '90').get('rate.USD')).toBe('90');
  expect([...keepRates(search).keys()]).toEqual(['rate.USD', 'rate.EUR', 'rate.CNY', 'rate.GBP']);
});
