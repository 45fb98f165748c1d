/** Does the work of a key once for however many ask while it is under way. */
export class SingleFlight {
  readonly #flights = new Map<string, Promise<void>>();

  /** Resolves or rejects with the flight that was under way, or with a new one. */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    const flight = this.#flights.get(key) ?? work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    await flight;
  }
}

interface Run {
  current: Promise<void>;
  /** The one that begins when `current` is over; everybody who comes meanwhile shares it. */
  next: Promise<void> | null;
}

/**
 * Single-flight for work that must begin after the call: who comes while a run is under way does not share it, but the
 * one run that follows.
 */
export class TrailingSingleFlight {
  readonly #runs = new Map<string, Run>();

  /**
   * Resolves when a run of the key's work is over that began after this call; rejects when it fails. `isShared`: it was
   * another call's.
   */
  async run(key: string, work: () => Promise<void>): Promise<{ isShared: boolean }> {
    const run = this.#runs.get(key);
    if (run?.next) {
      await run.next;
      return { isShared: true };
    }
    if (run) {
      run.next = run.current.then(
        () => this.#start(key, work),
        () => this.#start(key, work),
      );
      await run.next;
    } else {
      await this.#start(key, work);
    }
    return { isShared: false };
  }

  async #start(key: string, work: () => Promise<void>): Promise<void> {
    const run: Run = { current: work(), next: null };
    this.#runs.set(key, run);
    try {
      await run.current;
    } finally {
      if (!run.next) this.#runs.delete(key);
    }
  }
}
