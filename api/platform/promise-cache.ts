/** Caches the most recently used values. Failures are not cached, so the next call tries again. */
export class PromiseCache<Value> {
  readonly #max: number;
  readonly #values = new Map<string, Promise<Value>>();

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  /** The cached value of the key, or a new one. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#values.get(key) ?? make();
    // Moves the key to the end, so that the least recently used one is first.
    this.#values.delete(key);
    this.#values.set(key, value);
    value.catch(() => {
      if (this.#values.get(key) === value) this.#values.delete(key);
    });
    const [oldest] = this.#values.keys();
    if (oldest !== undefined && this.#values.size > this.#max) this.#values.delete(oldest);
    return value;
  }
}
