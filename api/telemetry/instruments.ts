/** What tells the series of a figure apart. The values come from a small set, because each combination is kept. */
export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

export interface Spread {
  labels: Labels;
  sum: number;
  count: number;
  /** How many values lie in each bucket, the last one being without an upper bound. */
  buckets: readonly number[];
}

/** The state of one figure. Names are in base units: seconds, bytes. */
export type Measurement = { name: string; help: string } & (
  | { type: 'counter' | 'gauge'; samples: readonly Sample[] }
  | { type: 'histogram'; bounds: readonly number[]; spreads: readonly Spread[] }
);

/** A gauge that has just been read. */
export function gauge(name: string, help: string, samples: readonly Sample[]): Measurement {
  return { name, help, type: 'gauge', samples };
}

/** A number that is added to. */
export class Sum {
  readonly #about: { name: string; type: 'counter' | 'gauge'; help: string };
  readonly #series = new Map<string, { labels: Labels; value: number }>();

  constructor(name: string, type: 'counter' | 'gauge', help: string) {
    this.#about = { name, type, help };
  }

  add(labels: Labels, amount = 1): void {
    const key = keyOf(labels);
    const series = this.#series.get(key);
    if (series) series.value += amount;
    else this.#series.set(key, { labels, value: amount });
  }

  measure(): Measurement {
    const samples = [...this.#series.values()].map(({ labels, value }): Sample => [labels, value]);
    return { ...this.#about, samples };
  }
}

/** How often values have fallen between the bounds. */
export class Histogram {
  readonly #about: { name: string; help: string; bounds: readonly number[] };
  readonly #series = new Map<string, Spread & { buckets: number[] }>();

  /** `bounds`: upper bounds of the buckets, inclusive and rising. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#about = { name, help, bounds };
  }

  observe(labels: Labels, value: number): void {
    const { bounds } = this.#about;
    const key = keyOf(labels);
    let spread = this.#series.get(key);
    if (!spread) {
      spread = { labels, sum: 0, count: 0, buckets: new Array<number>(bounds.length + 1).fill(0) };
      this.#series.set(key, spread);
    }
    const index = bounds.findIndex((bound) => value <= bound);
    const bucket = index < 0 ? bounds.length : index;
    spread.buckets[bucket] = (spread.buckets[bucket] ?? 0) + 1;
    spread.sum += value;
    spread.count += 1;
  }

  measure(): Measurement {
    const spreads = [...this.#series.values()].map((spread) => ({ ...spread, buckets: [...spread.buckets] }));
    return { ...this.#about, type: 'histogram', spreads };
  }
}

/** A figure always has the same labels in the same order. */
function keyOf(labels: Labels): string {
  return Object.values(labels).join('\0');
}
