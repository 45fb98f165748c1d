// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveUpdates } from '#pwa/app/live-updates.tsx';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { removeSessionMarker, writeSessionMarker } from '#pwa/features/session/session-marker.ts';
import { enterBy, holdEntry } from '#pwa/features/session/session-memory.ts';
import { until } from '#tests/support/until.ts';

const sent: string[] = [];
const streams: EventTarget[] = [];

beforeEach(() => {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor(address: string) {
        super();
        sent.push(address);
        streams.push(this);
      }
      close() {}
    },
  );
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address);
    return Response.json({ unseen: 3, results: [] });
  });
  const locks = { request: (_name: string, _options: object, work: () => Promise<void>) => work() };
  const parts = {
    setAppBadge: { value: async () => undefined, configurable: true },
    locks: { value: locks, configurable: true },
  };
  Object.defineProperties(navigator, parts);
  writeSessionMarker({ userId: 1000, name: 'Анна' });
});
afterEach(() => {
  cleanup();
  removeSessionMarker();
  for (const name of ['setAppBadge', 'locks']) Reflect.deleteProperty(navigator, name);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('while the token of the session is replaced, neither the unseen results nor the stream are asked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = Promise.withResolvers<void>();
  const entering = enterBy(() => answer.promise);
  render(createElement(QueryClientProvider, { client: new QueryClient() }, createElement(LiveUpdates)));
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(sent).toEqual([]);
  answer.resolve();
  await entering;
  vi.useRealTimers();
  await until(() => expect(sent).toEqual(expect.arrayContaining(['/api/notifications/unseen', '/api/events'])));
});

test('the end of a stream asks for the user only after a page has shown that the entry succeeded', async () => {
  const client = new QueryClient();
  client.setQueryData(QUERY_KEYS.user, { id: 1000 });
  const isAskedAgain = () => client.getQueryState(QUERY_KEYS.user)?.isInvalidated;
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  const release = holdEntry();
  streams.at(-1)?.dispatchEvent(new MessageEvent('end', { data: '{}' }));
  // What the page does of its own accord has been done by now.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(isAskedAgain()).toBe(false);
  release();
  await until(() => expect(isAskedAgain()).toBe(true));
});

test('the change of a generation makes what shows it ask again, and no file of another video', async () => {
  const client = new QueryClient();
  const id = crypto.randomUUID();
  const keys = [
    [...QUERY_KEYS.generation, id],
    [...QUERY_KEYS.videoFile, id, 0],
    [...QUERY_KEYS.videoFile, crypto.randomUUID(), 0],
  ];
  for (const key of keys) client.setQueryData(key, 'known');
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  streams.at(-1)?.dispatchEvent(new MessageEvent('generation', { data: JSON.stringify({ id }) }));
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false]);
});

test('the change of a row makes its batch and the lists of results ask again, and no page of a tool', async () => {
  const client = new QueryClient();
  const [id, batchId] = [crypto.randomUUID(), crypto.randomUUID()];
  const asked = [
    QUERY_KEYS.batches,
    [...QUERY_KEYS.batch, batchId],
    QUERY_KEYS.gallery,
    [...QUERY_KEYS.generation, id],
  ];
  const unasked = [
    QUERY_KEYS.activeGenerations,
    [...QUERY_KEYS.batch, crypto.randomUUID()],
    [...QUERY_KEYS.generation, crypto.randomUUID()],
  ];
  for (const key of [...asked, ...unasked]) client.setQueryData(key, 'known');
  const listInvalidated = (keys: (readonly string[])[]) => keys.map((key) => client.getQueryState(key)?.isInvalidated);
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  streams.at(-1)?.dispatchEvent(new MessageEvent('generation', { data: JSON.stringify({ id, batchId }) }));
  expect(listInvalidated(asked)).toEqual(asked.map(() => true));
  expect(listInvalidated(unasked)).toEqual(unasked.map(() => false));
});

test('the change of a batch makes it and the list of batches ask again', async () => {
  const client = new QueryClient();
  const id = crypto.randomUUID();
  const keys = [[...QUERY_KEYS.batches, 'other'], [...QUERY_KEYS.batch, id], QUERY_KEYS.gallery];
  for (const key of keys) client.setQueryData(key, 'known');
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  streams.at(-1)?.dispatchEvent(new MessageEvent('batch', { data: JSON.stringify({ id }) }));
  await until(() => {
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false]);
  });
});

test('the change of a pack makes the list of packs ask again, and nothing else', async () => {
  const client = new QueryClient();
  const keys = [QUERY_KEYS.packs, QUERY_KEYS.batches, QUERY_KEYS.gallery];
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  for (const key of keys) client.setQueryData(key, 'known');
  streams.at(-1)?.dispatchEvent(new MessageEvent('pack', { data: JSON.stringify({ id: crypto.randomUUID() }) }));
  await until(() => {
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, false, false]);
  });
});

test('an opened stream makes generations, batches, packs and stars ask again, because nothing has told of them before', async () => {
  const client = new QueryClient();
  const { generation, batch, packs, stars, premiumStatus } = QUERY_KEYS;
  const keys = [generation, batch, packs, stars, premiumStatus];
  sent.length = 0;
  render(createElement(QueryClientProvider, { client }, createElement(LiveUpdates)));
  await until(() => expect(sent).toContain('/api/events'));
  for (const key of keys) client.setQueryData(key, 'known');
  // An older page would hear of a gap, after which everything is asked for.
  vi.spyOn(performance, 'now').mockReturnValue(1);
  const { onopen } = streams.at(-1) as EventSource;
  await act(async () => onopen?.call(streams.at(-1) as EventSource, new Event('open')));
  await until(() => expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual(keys.map(() => true)));
});
