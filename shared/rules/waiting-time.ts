import { GENERATION_TIMEOUT_MS } from './generation-lifecycle.ts';
import { pluralize } from './plurals.ts';

export type Wait =
  /** Usual duration of such work, rounded up. */
  | { kind: 'usual'; seconds: number }
  /** The usual time has passed. At most so many whole minutes are left. */
  | { kind: 'late'; minutesLeft: number };

/**
 * The remaining time of a generation. A late one ends, too: by then the watchdog has ended it and the stars are
 * returned.
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

/** «через 42 секунды», «через 5 минут», «через 2 часа»: rounded up, so that a retry then is not too early. */
export function describeRetryTime(seconds: number): string {
  if (seconds <= 60) return countIn(Math.max(1, Math.ceil(seconds)), ['секунду', 'секунды', 'секунд']);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return countIn(minutes, ['минуту', 'минуты', 'минут']);
  return countIn(Math.ceil(minutes / 60), ['час', 'часа', 'часов']);
}

function countIn(count: number, forms: Parameters<typeof pluralize>[1]): string {
  return `через ${count}\u00a0${pluralize(count, forms)}`;
}

/** Rounds up to five seconds, past a minute to half a minute. An estimate is not more exact. */
function roundUp(seconds: number): number {
  const step = seconds <= 60 ? 5 : 30;
  return Math.max(step, Math.ceil(seconds / step) * step);
}
