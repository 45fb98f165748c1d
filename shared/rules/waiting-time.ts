import { GENERATION_TIMEOUT_MS } from './generation-lifecycle.ts';
import { pluralize } from './plurals.ts';

/** What a running generation's time is told from. */
export type Wait =
  /** Usual for such work, rounded up. */
  | { kind: 'usual'; seconds: number }
  /** That has passed; so many whole minutes are left at the most. */
  | { kind: 'late'; minutesLeft: number };

/**
 * How long a generation that is expected to take so long will still take. What is late has an end too: by then the
 * watchdog has ended it and the stars are back.
 */
export function judgeWait(expectedSeconds: number, elapsedSeconds: number): Wait {
  const seconds = roundUp(expectedSeconds);
  if (elapsedSeconds <= seconds) return { kind: 'usual', seconds };
  const leftSeconds = GENERATION_TIMEOUT_MS / 1000 - elapsedSeconds;
  return { kind: 'late', minutesLeft: Math.max(1, Math.ceil(leftSeconds / 60)) };
}

/** «Дольше обычного, но генерация идёт: ещё не больше 29 минут» */
export function describeLate(minutesLeft: number): string {
  const minutes = pluralize(minutesLeft, ['минуты', 'минут', 'минут']);
  return `Дольше обычного, но генерация идёт: ещё не больше ${minutesLeft} ${minutes}`;
}

/** «через 42 секунды», «через 5 минут», «через 2 часа»: rounded up, so that a retry at that time is not too early. */
export function describeRetryTime(seconds: number): string {
  if (seconds <= 60) return countIn(Math.max(1, Math.ceil(seconds)), ['секунду', 'секунды', 'секунд']);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return countIn(minutes, ['минуту', 'минуты', 'минут']);
  return countIn(Math.ceil(minutes / 60), ['час', 'часа', 'часов']);
}

function countIn(count: number, forms: Parameters<typeof pluralize>[1]): string {
  return `через ${count}\u00a0${pluralize(count, forms)}`;
}

/** Up to whole fives of seconds, past a minute to half-minutes: an estimate is no more exact than that. */
function roundUp(seconds: number): number {
  const step = seconds <= 60 ? 5 : 30;
  return Math.max(step, Math.ceil(seconds / step) * step);
}
