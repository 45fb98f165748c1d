import type { Page } from 'playwright/test';

/** The keys in the app's own database, with the values that are text. */
export function readDatabase(page: Page): Promise<[string, unknown][]> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const store = opening.result.transaction('values').objectStore('values');
          const keys = store.getAllKeys();
          const values = store.getAll();
          store.transaction.oncomplete = () => {
            opening.result.close();
            resolve(keys.result.map((key, index) => [String(key), values.result[index]] as [string, unknown]));
          };
        };
      }),
  );
}

/** Writes values there without the app's code. */
export function writeDatabase(page: Page, entries: [string, unknown][]): Promise<void> {
  return page.evaluate(
    (list) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('values', 'readwrite');
          for (const [key, value] of list) transaction.objectStore('values').put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    entries,
  );
}
