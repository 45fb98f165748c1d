import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia, mediaCacheName, setDeviceOwner } from '#pwa/device/device-owner.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

const ORIGIN = 'https://podium.test';
let kept: Set<string>;

beforeEach(async () => {
  kept = new Set();
  const cache = {
    keys: async () => [...kept].map((url) => ({ url })),
    delete: async ({ url }: { url: string }) => kept.delete(url),
  };
  vi.stubGlobal('indexedDB', createFakeIndexedDb());
  vi.stubGlobal('caches', {
    keys: async () => [mediaCacheName(7)],
    delete: async () => true,
    open: async (name: string) => {
      expect(name).toBe(mediaCacheName(7));
      return cache;
    },
  });
  await setDeviceOwner(7);
});
afterEach(() => vi.unstubAllGlobals());

test('the device forgets every picture of one result, and no other', async () => {
  const gone = ['poster', 'poster?original', 'thumbnail'].map((end) => `${ORIGIN}/media/results/a/1/${end}`);
  const others = [`${ORIGIN}/media/results/a/10/poster`, `${ORIGIN}/media/results/b/1/poster`];
  for (const url of [...gone, ...others]) kept.add(url);
  await forgetMedia('/media/results/a/1/');
  expect([...kept]).toEqual(others);
});
