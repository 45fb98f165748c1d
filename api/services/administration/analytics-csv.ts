import { METRIC_NAMES, METRICS } from '#shared/contract/analytics.ts';
import type { DayCounts } from './analytics-counts.ts';

/** Without it Excel takes the file for Windows-1251. */
const BYTE_ORDER_MARK = '\u{feff}';
/** What a spreadsheet would read as the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The daily figures as a table that opens in a Russian Excel: UTF-8, semicolons, one day a line. */
export function writeAnalyticsCsv(days: DayCounts[]): string {
  return writeCsv([
    ['Дата', ...METRICS.map((metric) => METRIC_NAMES[metric])],
    ...days.map(({ date, counts }) => [date, ...METRICS.map((metric) => counts[metric])]),
  ]);
}

/** A table as CSV; a text can neither break out of its cell nor become a formula. */
export function writeCsv(rows: (string | number)[][]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(writeCell).join(';')}\r\n`).join('');
}

function writeCell(value: string | number): string {
  // With a point a Russian Excel takes 12.5 for the 12th of May.
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
