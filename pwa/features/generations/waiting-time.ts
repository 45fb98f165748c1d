import { formatDuration, nb } from '#pwa/lib/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** Past this share of the expected time the page says that it takes longer than usual. */
const LATE_FACTOR = 1.5;
const LATE_SLACK_SECONDS = 10;
/** Said instead of an estimate that has been passed. */
export const LATE_TEXT = 'Дольше обычного, но генерация идёт';

export function isLate(expectedSeconds: number, elapsedSeconds: number): boolean {
  return elapsedSeconds > expectedSeconds * LATE_FACTOR + LATE_SLACK_SECONDS;
}

/** Up to whole fives of seconds, past a minute to half-minutes: an estimate is no more exact than that. */
export function roundUpSeconds(seconds: number): number {
  const step = seconds < 60 ? 5 : 30;
  return Math.max(step, Math.ceil(seconds / step) * step);
}

/** The waiting line: the median of recent runs, or the truth once it has been passed; `unknown` where there are none. */
export function describeUsualWait(expectedSeconds: number | null, elapsedSeconds: number, unknown: string): string {
  if (expectedSeconds === null) return unknown;
  if (isLate(expectedSeconds, elapsedSeconds)) return LATE_TEXT;
  return nb(`Обычно около ${describeRoughTime(roundUpSeconds(expectedSeconds), ['секунды', 'секунд', 'секунд'])}`);
}

/** «20 секунд», from a minute on «1 мин 30 с». */
export function describeRoughTime(seconds: number, forms: Parameters<typeof pluralize>[1]): string {
  return seconds < 60 ? `${seconds}\u00a0${pluralize(seconds, forms)}` : formatDuration(seconds);
}
