import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectStore } from '#pwa/device/storage-connection.ts';

interface Opening {
  result: { close: () => void };
  onsuccess?: () => void;
}

let openings: Opening[];
beforeEach(() => {
  vi.useFakeTimers();
  openings = [];
  vi.stubGlobal('indexedDB', {
    open: () => {
      const opening: Opening = { result: { close: vi.fn() } };
      openings.push(opening);
      return opening;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const read = () => connectStore('podium', 'values').use((store) => store('readonly', () => Promise.resolve('value')));

test('a database that never opens is waited for two seconds, and tried again at the next use', async () => {
  const connection = connectStore('podium', 'values');
  for (let attempt = 1; attempt <= 2; attempt++) {
    const outcome = vi.fn();
    connection.use((store) => store('readonly', () => Promise.resolve())).catch(outcome);
    await vi.advanceTimersByTimeAsync(1900);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(outcome).toHaveBeenCalledWith(new Error('IndexedDB has not opened in 2000 ms'));
    expect(openings).toHaveLength(attempt);
  }
});

test('one that opens after that is closed: nobody uses it', async () => {
  read().catch(() => undefined);
  await vi.advanceTimersByTimeAsync(2100);
  const [late] = openings;
  late?.onsuccess?.();
  expect(late?.result.close).toHaveBeenCalledOnce();
});
