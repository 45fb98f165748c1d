import { writeCsv } from '#api/services/core/csv.ts';
import { METRIC_NAMES, METRICS } from '#shared/contract/analytics.ts';
import { type EngineFigures, nameEngine } from '#shared/contract/engines.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import type { DayCounts } from './analytics-counts.ts';

/** The daily figures as a table for a Russian Excel: UTF-8, semicolons, one day per line. */
export function writeAnalyticsCsv(days: DayCounts[]): string {
  return writeCsv([
    ['Дата', ...METRICS.map((metric) => METRIC_NAMES[metric])],
    ...days.map(({ date, counts }) => [date, ...METRICS.map((metric) => counts[metric])]),
  ]);
}

type Cost = EngineFigures['costs'][number];
type Cell = string | number | null;

const ENGINE_COLUMNS: Record<string, (row: EngineFigures) => Cell> = {
  Движок: ({ engine }) => nameEngine(engine),
  Инструмент: ({ kind }) => TOOLS[kind].name,
  Заказы: ({ orders }) => orders,
  Готово: ({ completed }) => completed,
  Отменено: ({ cancelled }) => cancelled,
  'Не получилось': ({ failed }) => failed,
  Причины: ({ failures }) => failures.map(({ code, count }) => `${code}: ${count}`).join(', '),
  'Медиана, с': ({ medianSeconds }) => roundOff(medianSeconds, 0),
  '90 % не дольше, с': ({ p90Seconds }) => roundOff(p90Seconds, 0),
  'Списано звёзд': ({ stars }) => stars,
  'Их стоимость, ₽': ({ revenueRub }) => roundOff(revenueRub, 2),
  'Задания движка': ({ jobs }) => jobs,
};
const COST_COLUMNS: Record<string, (cost: Cost) => Cell> = {
  Затраты: ({ amount }) => roundOff(amount, 6),
  Валюта: ({ currency }) => currency,
  'в т. ч. повторы': ({ resubmits }) => roundOff(resubmits, 6),
  'в т. ч. бесплатные переделки': ({ rerolls }) => roundOff(rerolls, 6),
  'в т. ч. оборванные отправки': ({ uncertain }) => roundOff(uncertain, 6),
};

/**
 * The figures by engine and tool. Costs in a second currency have a line of their own, in which the other figures are
 * not repeated, so that columns can be added up.
 */
export function writeEngineCsv(rows: EngineFigures[]): string {
  const readers = Object.values(ENGINE_COLUMNS);
  const lines = rows.flatMap((row) => {
    const cells = readers.map((read) => read(row) ?? '');
    const costs = row.costs.map((cost) => Object.values(COST_COLUMNS).map((read) => read(cost) ?? ''));
    const [first = [], ...others] = costs;
    const [engine = '', kind = ''] = cells;
    return [
      [...cells, ...first],
      ...others.map((cost) => [engine, kind, ...Array<string>(cells.length - 2).fill(''), ...cost]),
    ];
  });
  return writeCsv([[...Object.keys(ENGINE_COLUMNS), ...Object.keys(COST_COLUMNS)], ...lines]);
}

function roundOff(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
