interface Run {
  current: Promise<void>;
  /** The one that begins when `current` is over; everybody who comes meanwhile shares it. */
  next: Promise<void> | null;
}

/** Keeps a crowd of equal calls from doing the same work at once: one works, and one more begins after all have come. */
export class CoalescedRuns {
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
