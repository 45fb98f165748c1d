import { setTimeout as wait } from 'node:timers/promises';
import { type BackOff, backOffMs } from '#shared/rules/back-off.ts';

interface RetryOptions extends BackOff {
  /** How often it is tried at most. */
  tries: number;
  isWorthRetrying: (error: unknown) => boolean;
}

/** The result of `work`, which is repeated with growing pauses. Throws its last error. */
export async function retry<T>(
  work: () => Promise<T>,
  { tries, isWorthRetrying, ...pauses }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (failures + 1 >= tries || !isWorthRetrying(error)) throw error;
    }
    await wait(backOffMs(failures, pauses));
  }
}
