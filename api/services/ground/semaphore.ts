import { AppError } from '#api/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Runs heavy work a few pieces at a time; the rest stand in a short line. */
export interface WorkSlots {
  /** Throws `unavailable` at once when the line is full, with the seconds to wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createWorkSlots({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): WorkSlots {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    async run(work) {
      if (running < atOnce) running++;
      else if (waiting.length >= maxWaiting) throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // The slot goes from hand to hand, so that a newcomer cannot take it from the one who waits.
        if (next) next();
        else running--;
      }
    },
  };
}
