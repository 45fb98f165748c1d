import type { EngineFigures } from '#shared/contract/engines.ts';

/** Roubles for one unit of a currency. Only the operator knows them. */
export type Rates = Readonly<Record<string, number>>;
type Money = Pick<EngineFigures, 'costs' | 'revenueRub'>;

const RATE_PARAMETER = /^rate\.([A-Z]{3})$/;
const RUB = 'RUB';

/** The rates in the page's address: `rate.USD=92.5`. What is no positive number is left out. */
export function readRates(search: URLSearchParams): Rates {
  return Object.fromEntries(
    [...search].flatMap(([name, text]) => {
      const currency = RATE_PARAMETER.exec(name)?.[1];
      const rate = Number(text.replace(',', '.'));
      return currency && rate > 0 && Number.isFinite(rate) ? [[currency, rate]] : [];
    }),
  );
}

/** The query of the page with this rate of a currency. An empty text removes it. */
export function withRate(search: URLSearchParams, currency: string, text: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (text) next.set(`rate.${currency}`, text);
  else next.delete(`rate.${currency}`);
  return next;
}

/** Only the rates of the page's query. */
export function keepRates(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => RATE_PARAMETER.test(name)));
}

/** The currencies that need a rate. */
export function listForeignCurrencies(rows: readonly Money[]): string[] {
  return [...new Set(rows.flatMap(({ costs }) => costs.map(({ currency }) => currency)))].filter((one) => one !== RUB);
}

/** All rows together. The revenue is null when it is unknown for any of them. */
export function addUp(rows: readonly EngineFigures[]): Money & Pick<EngineFigures, 'stars'> {
  const costs = new Map<string, EngineFigures['costs'][number]>();
  for (const { currency, amount, resubmits, rerolls, uncertain } of rows.flatMap((row) => row.costs)) {
    const sum = costs.get(currency) ?? { currency, amount: 0, resubmits: 0, rerolls: 0, uncertain: 0 };
    costs.set(currency, {
      currency,
      amount: sum.amount + amount,
      resubmits: sum.resubmits + resubmits,
      rerolls: sum.rerolls + rerolls,
      uncertain: sum.uncertain + uncertain,
    });
  }
  return {
    costs: [...costs.values()],
    stars: rows.reduce((sum, { stars }) => sum + stars, 0),
    revenueRub: rows.reduce<number | null>((sum, { revenueRub }) => {
      return sum === null || revenueRub === null ? null : sum + revenueRub;
    }, 0),
  };
}

/**
 * Revenue less costs, in roubles and as a share of the revenue. Null while a rate or the revenue is unknown. The share
 * is null without revenue.
 */
export function computeMargin(
  { costs, revenueRub }: Money,
  rates: Rates,
): { roubles: number; share: number | null } | null {
  if (revenueRub === null) return null;
  let roubles = revenueRub;
  for (const { currency, amount } of costs) {
    const rate = currency === RUB ? 1 : rates[currency];
    if (rate === undefined) return null;
    roubles -= amount * rate;
  }
  return { roubles, share: revenueRub > 0 ? roubles / revenueRub : null };
}

/** The rate up to which the revenue covers the costs. Null unless all costs are in one foreign currency. */
export function findBreakEvenRate({ costs, revenueRub }: Money): { currency: string; rate: number } | null {
  const [cost, ...others] = costs;
  if (!cost || others.length > 0 || cost.currency === RUB || cost.amount === 0 || revenueRub === null) return null;
  return { currency: cost.currency, rate: revenueRub / cost.amount };
}
