/** Caches the values of the keys that were asked for last. A failure is not cached: the next call tries again. */
export class PromiseCache<Value> {
  readonly #max: number;
  readonly #values = new Map<string, Promise<Value>>();

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  /** The value of the key, made now if it is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#values.get(key) ?? make();
    // Moves the key to the end: the least recently used one stands first.
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
