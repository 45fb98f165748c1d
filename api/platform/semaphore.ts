import type { ErrorCode } from '#shared/contract/errors.ts';
import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 5;

interface SemaphoreOptions {
  permits: number;
  maxWaiting: number;
  /** Code of the refusal when the queue is full. `unavailable` unless set. */
  refusal?: ErrorCode;
}

/** Limits how much heavy work runs at once. The rest waits in a queue. */
export class Semaphore {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #refusal: ErrorCode;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ permits, maxWaiting, refusal = 'unavailable' }: SemaphoreOptions) {
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
    this.#refusal = refusal;
  }

  /**
   * Throws AppError at once when the queue is full, with the seconds to wait, and the reason of `signal` when it comes
   * before a permit.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running >= this.#permits && this.#waiting.length >= this.#maxWaiting) {
      throw new AppError(this.#refusal, { retryAfter: RETRY_AFTER_SECONDS });
    }
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  /** Called by work in `run`: while `waiting` lasts, its permit is for others. Afterwards waits for a permit again. */
  async aside<T>(waiting: () => Promise<T>): Promise<T> {
    this.#passOn();
    try {
      return await waiting();
    } finally {
      await this.#take();
    }
  }

  async #take(signal?: AbortSignal): Promise<void> {
    if (this.#running < this.#permits) {
      this.#running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const place = this.#waiting.indexOf(resolve);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason as Error);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    // The permit is passed on directly, so that a newcomer cannot overtake a waiting call.
    if (next) next();
    else this.#running--;
  }
}

/** A semaphore for each key, so that the work of one waits for its own and not before that of others. */
export class KeyedSemaphore<K> {
  readonly #limits: SemaphoreOptions;
  readonly #semaphores = new Map<K, { semaphore: Semaphore; users: number }>();

  constructor(limits: SemaphoreOptions) {
    this.#limits = limits;
  }

  /** Throws AppError at once when the key's queue is full, with the seconds to wait. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const own = this.#semaphores.get(key) ?? { semaphore: new Semaphore(this.#limits), users: 0 };
    this.#semaphores.set(key, own);
    own.users++;
    try {
      return await own.semaphore.run(work);
    } finally {
      own.users--;
      if (own.users === 0) this.#semaphores.delete(key);
    }
  }
}
