import { AppError } from '#api/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Runs heavy work a few pieces at a time; the rest wait in a line. */
export class Semaphore {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Throws AppError `unavailable` at once when the line is full, with the seconds to wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#permits) this.#running++;
    else if (this.#waiting.length >= this.#maxWaiting) {
      throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The permit goes from hand to hand, so that a newcomer cannot take it from the one who waits.
      if (next) next();
      else this.#running--;
    }
  }
}
