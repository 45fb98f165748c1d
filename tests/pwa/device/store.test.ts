import { expect, it, vi } from 'vitest';
import { createStore } from '#pwa/device/store.ts';

it('a store tells its listeners of every change, and of nothing else', () => {
  const store = createStore('first');
  const listener = vi.fn();
  const stop = store.subscribe(listener);
  store.set('first');
  expect(listener).not.toHaveBeenCalled();
  store.set('second');
  expect([store.get(), listener.mock.calls.length]).toEqual(['second', 1]);
  stop();
  store.set('third');
  expect([store.get(), store.initial, listener.mock.calls.length]).toEqual(['third', 'first', 1]);
});
