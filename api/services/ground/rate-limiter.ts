import { AppError } from '#api/errors.ts';

interface Attempts {
  count: number;
  /** Milliseconds since the epoch. */
  forgottenAt: number;
}

/** Keys kept at most; beyond that the oldest are dropped, so that made-up keys cannot fill the memory. */
const MAX_KEYS = 50_000;

/**
 * Counts attempts by key (an e-mail, say) in a window that begins with the first of them. It lives in the process's
 * memory: a restart forgets, and several processes count apart.
 */
export class RateLimiter {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #attempts = new Map<string, Attempts>();

  constructor(limit: { max: number; windowMs: number }) {
    this.#max = limit.max;
    this.#windowMs = limit.windowMs;
  }

  /**
   * Counts one attempt before it is made, so that parallel ones cannot slip past the limit.
   * Throws AppError too_many_requests with the seconds to wait.
   */
  count(key: string, now = Date.now()): void {
    const known = this.#attempts.get(key);
    const attempts = known && known.forgottenAt > now ? known : { count: 0, forgottenAt: now + this.#windowMs };
    if (attempts.count >= this.#max) {
      throw new AppError('too_many_requests', { retryAfter: Math.ceil((attempts.forgottenAt - now) / 1000) });
    }
    attempts.count += 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    const oldest = this.#attempts.keys().next();
    if (this.#attempts.size > MAX_KEYS && !oldest.done) this.#attempts.delete(oldest.value);
  }

  /** The attempt succeeded: earlier failures do not count any more. */
  forget(key: string): void {
    this.#attempts.delete(key);
  }
}
