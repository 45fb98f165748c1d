import { AppError } from '#api/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Limits how much heavy work runs at once. The rest waits in a queue. */
export class Semaphore {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Throws AppError `unavailable` at once when the queue is full, with the seconds to wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#permits) this.#running++;
    else if (this.#waiting.length >= this.#maxWaiting) {
      throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The permit is passed on directly, so that a newcomer cannot overtake a waiting call.
      if (next) next();
      else this.#running--;
    }
  }
}
