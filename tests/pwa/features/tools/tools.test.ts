import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureTools, readRememberedTools, toolsQuery } from '#pwa/features/tools/tools.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { ALL_TOOLS, LOCAL_TOOLS } from '#tests/pwa/support/samples.ts';

/** Makes no videos. */
const LOCAL: ToolAbilities = { ...LOCAL_TOOLS, offered: ['photosession'], videoSeconds: [], aspectRatios: [] };

let stored: Map<string, string>;
let asked: number;
let answer: () => Promise<Response>;

beforeEach(() => {
  // Waits for the answer, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  stored = new Map();
  asked = 0;
  answer = async () => Response.json(ALL_TOOLS);
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

/** The state at the start of a page; `brought` comes with its document. */
async function open(brought?: ToolAbilities) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  if (brought) queryClient.setQueryData(toolsQuery.queryKey, brought);
  await ensureTools(queryClient);
  const state = queryClient.getQueryState(toolsQuery.queryKey);
  return { tools: state?.data, queryClient };
}

test('a device that knows nothing asks before the first page, and remembers the answer', async () => {
  expect((await open()).tools).toEqual(ALL_TOOLS);
  answer = () => Promise.reject(new TypeError('no network'));
  expect((await open()).tools).toEqual(ALL_TOOLS);
  expect(asked).toBe(1);
});

test('what is remembered is shown at once and asked for again, so that another engine is noticed', async () => {
  await open(LOCAL);
  const { tools, queryClient } = await open();
  expect(tools).toEqual(LOCAL);
  expect(await queryClient.fetchQuery(toolsQuery)).toEqual(ALL_TOOLS);
  expect((await open()).tools).toEqual(ALL_TOOLS);
});

test('what came with the document is newer than what is remembered', async () => {
  await open(ALL_TOOLS);
  expect((await open(LOCAL)).tools).toEqual(LOCAL);
  expect((await open()).tools).toEqual(LOCAL);
  expect(asked).toBe(0);
});

test('without any answer the page is drawn all the same, and what is stored badly says nothing', async () => {
  answer = () => Promise.reject(new TypeError('no network'));
  expect((await open()).tools).toBeUndefined();
  for (const text of [
    null,
    '',
    'video',
    'model_change',
    'model_change poses',
    'model_change poses person',
    'poses person model_change',
    '{"change":"model_change"}',
    // Without the versions of the documents.
    'model_change poses person video 5 3:4',
  ])
    expect(readRememberedTools(text)).toBeNull();
});
