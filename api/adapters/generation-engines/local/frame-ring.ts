/**
 * Frames buffered between the render thread and the encoder. Enough that a short delay of one does not stop the other.
 */
export const RING_SLOTS = 4;

const RENDERED = 0;
const TAKEN = 1;
const STOPPED = 2;

/**
 * Passes numbered frames from one thread to another through three shared counters. The rendering side blocks. The
 * reading side never does, because its thread serves requests.
 */
export class FrameRing {
  readonly #counters: Int32Array<SharedArrayBuffer>;

  constructor(state: SharedArrayBuffer) {
    this.#counters = new Int32Array(state);
  }

  static createState(): SharedArrayBuffer {
    return new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Blocks until frame `index` may be drawn. False when the ring was stopped. */
  waitForRoom(index: number): boolean {
    for (;;) {
      if (Atomics.load(this.#counters, STOPPED)) return false;
      const taken = Atomics.load(this.#counters, TAKEN);
      if (index - taken < RING_SLOTS) return true;
      Atomics.wait(this.#counters, TAKEN, taken, 1000);
    }
  }

  markRendered(index: number): void {
    Atomics.store(this.#counters, RENDERED, index + 1);
    Atomics.notify(this.#counters, RENDERED);
  }

  /** Resolves when frame `index` is in its slot. False when the ring was stopped. */
  async waitForFrame(index: number): Promise<boolean> {
    for (;;) {
      if (Atomics.load(this.#counters, STOPPED)) return false;
      const rendered = Atomics.load(this.#counters, RENDERED);
      if (rendered > index) return true;
      const { async, value } = Atomics.waitAsync(this.#counters, RENDERED, rendered, 1000);
      if (async) await value;
    }
  }

  /** Frees the slots of all frames before `count`. */
  markTaken(count: number): void {
    Atomics.store(this.#counters, TAKEN, count);
    Atomics.notify(this.#counters, TAKEN);
  }

  stop(): void {
    Atomics.store(this.#counters, STOPPED, 1);
    Atomics.notify(this.#counters, TAKEN);
    Atomics.notify(this.#counters, RENDERED);
  }
}
