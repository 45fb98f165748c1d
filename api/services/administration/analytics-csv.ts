import { METRIC_NAMES, METRICS } from '#shared/contract/analytics.ts';
import type { DayCounts } from './analytics-counts.ts';

/** Without it Excel reads the file as Windows-1251. */
const BYTE_ORDER_MARK = '\u{feff}';
/** Characters with which a spreadsheet formula begins. */
const FORMULA = /^[=+\-@\t\r]/;

/** The daily figures as a table for a Russian Excel: UTF-8, semicolons, one day per line. */
export function writeAnalyticsCsv(days: DayCounts[]): string {
  return writeCsv([
    ['Дата', ...METRICS.map((metric) => METRIC_NAMES[metric])],
    ...days.map(({ date, counts }) => [date, ...METRICS.map((metric) => counts[metric])]),
  ]);
}

/** A table as CSV. No text can break out of its cell or become a formula. */
export function writeCsv(rows: (string | number)[][]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(writeCell).join(';')}\r\n`).join('');
}

function writeCell(value: string | number): string {
  // A Russian Excel would read 12.5 as the 12th of May.
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
