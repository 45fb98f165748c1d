import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { knowTools, readRememberedTools, toolsQuery } from '#pwa/lib/tools.ts';
import type { Change } from '#shared/rules/what-is-made.ts';

let stored: Map<string, string>;
let asked: number;
let answer: () => Promise<Response>;

beforeEach(() => {
  // The answer is waited for, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  stored = new Map();
  asked = 0;
  answer = async () => Response.json({ change: 'model_change' });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a page begins with; `brought`: by its document. */
async function open(brought?: Change) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  if (brought) queryClient.setQueryData(toolsQuery.queryKey, { change: brought });
  await knowTools(queryClient);
  const state = queryClient.getQueryState(toolsQuery.queryKey);
  return { change: state?.data?.change, queryClient };
}

test('a device that knows nothing asks before the first page, and remembers the answer', async () => {
  expect((await open()).change).toBe('model_change');
  answer = () => Promise.reject(new TypeError('no network'));
  expect((await open()).change).toBe('model_change');
  expect(asked).toBe(1);
});

test('what is remembered is shown at once and asked for anew, so that another engine is noticed', async () => {
  await open('background_change');
  const { change, queryClient } = await open();
  expect(change).toBe('background_change');
  expect(await queryClient.fetchQuery(toolsQuery)).toEqual({ change: 'model_change' });
  expect((await open()).change).toBe('model_change');
});

test('what came with the document is newer than what is remembered', async () => {
  await open('model_change');
  expect((await open('background_change')).change).toBe('background_change');
  expect((await open()).change).toBe('background_change');
  expect(asked).toBe(0);
});

test('without any answer the page is drawn all the same, and what is stored badly says nothing', async () => {
  answer = () => Promise.reject(new TypeError('no network'));
  expect((await open()).change).toBeUndefined();
  for (const text of [null, '', 'video', '{"change":"model_change"}']) expect(readRememberedTools(text)).toBeNull();
});
