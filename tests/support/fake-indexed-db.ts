export interface FakeIndexedDbOptions {
  /** What is stored, by key. */
  values?: Map<string, unknown>;
  /** Whether there is room for one more value; a transaction that puts one without is undone. */
  hasRoom?: (value: unknown) => boolean;
  /** Hears which values are read. */
  onRead?: (key: string) => void;
}

/**
 * As much of IndexedDB as the interface's store of values uses, in memory: values are copied, and transactions run one
 * after another, each until it has nothing more to do.
 */
export function createFakeIndexedDb({
  values = new Map(),
  hasRoom = () => true,
  onRead,
}: FakeIndexedDbOptions = {}): IDBFactory {
  let last: Promise<void> = Promise.resolve();

  function beginTransaction() {
    const steps: (() => void)[] = [];
    const ask = (work: () => unknown) => {
      const request = { result: undefined as unknown, onsuccess: null as (() => void) | null };
      steps.push(() => {
        request.result = work();
        request.onsuccess?.();
      });
      return request;
    };
    const transaction = {
      error: null as DOMException | null,
      oncomplete: null as (() => void) | null,
      onabort: null as (() => void) | null,
      objectStore: () => store,
    };
    const store = {
      transaction,
      get: (key: string) => {
        onRead?.(key);
        return ask(() => structuredClone(values.get(key)));
      },
      put: (value: unknown, key: string) => {
        const copy = structuredClone(value);
        return ask(() => {
          if (hasRoom(copy)) values.set(key, copy);
          else transaction.error = new DOMException('no room', 'QuotaExceededError');
        });
      },
      delete: (key: string) => ask(() => values.delete(key)),
      getAllKeys: () => ask(() => [...values.keys()]),
    };
    const run = async (before: Promise<void>) => {
      await before;
      const valuesBefore = [...values];
      for (let step = steps.shift(); step && !transaction.error; step = steps.shift()) {
        step();
        await null;
      }
      if (!transaction.error) return transaction.oncomplete?.();
      values.clear();
      for (const [key, value] of valuesBefore) values.set(key, value);
      transaction.onabort?.();
    };
    last = run(last);
    return transaction;
  }

  function open() {
    const request = { result: { transaction: beginTransaction, close() {} }, onsuccess: null as (() => void) | null };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  }
  return { open } as unknown as IDBFactory;
}
