/** A check whose outcome is relied on for a while, by everybody who asks meanwhile. A failure is kept, too. */
export class CachedCheck<T> {
  readonly #cachedMs: number;
  #last: { startedAt: number; outcome: Promise<T> } | null = null;

  constructor({ cachedMs }: { cachedMs: number }) {
    this.#cachedMs = cachedMs;
  }

  run(check: () => Promise<T>): Promise<T> {
    if (!this.#last || performance.now() - this.#last.startedAt > this.#cachedMs) {
      this.#last = { startedAt: performance.now(), outcome: check() };
    }
    return this.#last.outcome;
  }

  /** The next call checks again. */
  forget(): void {
    this.#last = null;
  }
}
