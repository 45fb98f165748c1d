import { AppError } from '#api/errors.ts';

interface Attempts {
  count: number;
  /** Milliseconds since the epoch. */
  forgottenAt: number;
}

/** Maximum number of keys. Beyond it the oldest are dropped, so that invented keys cannot fill the memory. */
const MAX_KEYS = 50_000;

/**
 * Counts attempts per key, such as an e-mail, in a window that begins with the first attempt. It lives in the memory of
 * the process: a restart clears it, and several processes count separately.
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
   * Counts an attempt before it is made, so that parallel ones cannot exceed the limit. Throws AppError
   * too_many_requests with the seconds to wait.
   */
  count(key: string, now = Date.now()): void {
    const known = this.#attempts.get(key);
    // After the clock has been set back, a window would last longer than it should. It begins anew.
    const isValid = known && known.forgottenAt > now && known.forgottenAt <= now + this.#windowMs;
    const attempts = isValid ? known : { count: 0, forgottenAt: now + this.#windowMs };
    if (attempts.count >= this.#max) {
      throw new AppError('too_many_requests', { retryAfter: Math.ceil((attempts.forgottenAt - now) / 1000) });
    }
    attempts.count += 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    const oldest = this.#attempts.keys().next();
    if (this.#attempts.size > MAX_KEYS && !oldest.done) this.#attempts.delete(oldest.value);
  }
}
