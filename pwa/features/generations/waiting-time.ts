import { formatDuration, nb } from '#pwa/lib/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import type { UsualWait } from '#shared/rules/tools.ts';
import { describeLate, judgeWait } from '#shared/rules/waiting-time.ts';

/**
 * The text about the waiting time: what the server expected at the start, or the longest remaining time once that has
 * passed. Null without an estimate and a guess.
 */
export function describeUsualWait(
  expectedSeconds: number | null,
  elapsedSeconds: number,
  guess: UsualWait | null,
): string | null {
  const seconds = expectedSeconds ?? guess?.seconds;
  if (seconds === undefined) return null;
  const wait = judgeWait(seconds, elapsedSeconds);
  if (wait.kind === 'late') return nb(describeLate(wait.minutesLeft));
  if (expectedSeconds === null && guess) return nb(guess.text);
  return nb(`Обычно около ${describeRoughTime(wait.seconds, ['секунды', 'секунд', 'секунд'])}`);
}

/** «20 секунд», and «1 мин 30 с» from one minute on. */
export function describeRoughTime(seconds: number, forms: Parameters<typeof pluralize>[1]): string {
  return seconds < 60 ? `${seconds}\u00a0${pluralize(seconds, forms)}` : formatDuration(seconds);
}
