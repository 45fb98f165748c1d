/** Runs the work of a key once for all callers that ask during the run. */
export class SingleFlight {
  readonly #flights = new Map<string, Promise<void>>();

  /** Resolves or rejects with the current run of the key, or with a new one. */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    const flight = this.#flights.get(key) ?? work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    await flight;
  }
}

interface Run {
  current: Promise<void>;
  /** The run after `current`. All callers that come during `current` share it. */
  next: Promise<void> | null;
}

/**
 * Single-flight for work that must begin after the call: a caller that comes during a run shares the one run after it.
 */
export class TrailingSingleFlight {
  readonly #runs = new Map<string, Run>();

  /**
   * Resolves at the end of a run of the key's work that began after this call; rejects when that run fails. `isShared`:
   * another call started it.
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
