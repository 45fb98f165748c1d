/**
 * As much of IndexedDB as the interface's store of values uses, in memory: values are copied, and transactions run one
 * after another, each until it has nothing more to do.
 */
export function createFakeIndexedDb(): IDBFactory {
  const values = new Map<string, unknown>();
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
    const transaction = { error: null, oncomplete: null as (() => void) | null, objectStore: () => store };
    const store = {
      transaction,
      get: (key: string) => ask(() => structuredClone(values.get(key))),
      put: (value: unknown, key: string) => {
        const copy = structuredClone(value);
        return ask(() => values.set(key, copy));
      },
      delete: (key: string) => ask(() => values.delete(key)),
      getAllKeys: () => ask(() => [...values.keys()]),
    };
    const run = async (before: Promise<void>) => {
      await before;
      for (let step = steps.shift(); step; step = steps.shift()) {
        step();
        await null;
      }
      transaction.oncomplete?.();
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
