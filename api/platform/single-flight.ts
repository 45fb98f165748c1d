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
