import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPersistedQueries, persistQueries } from '#pwa/client/persisted-queries.ts';
import { PERSISTED_QUERIES_KEY } from '#pwa/client/query-client.ts';
import { type FakePage, openFakePage } from '#tests/support/fake-page.ts';

const USER_ID = 7;
const LIST = ['videos'];
let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = openFakePage();
});
afterEach(() => {
  forgetPersistedQueries();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A visit whose page has this answer before anything is stored or restored. */
async function visit(answer?: { list: string[]; at: number }): Promise<QueryClient> {
  const client = new QueryClient();
  client.setQueryDefaults(LIST, { meta: { persist: 'whole' }, staleTime: Number.POSITIVE_INFINITY });
  if (answer) {
    client.getQueryCache().build(client, { queryKey: LIST, meta: { persist: 'whole' } });
    client.setQueryData(LIST, answer.list, { updatedAt: answer.at });
  }
  await persistQueries(client, USER_ID);
  await vi.advanceTimersByTimeAsync(2000);
  return client;
}

/** The page is left, and what it has stored stays. */
function leave(): void {
  const kept = page.stored.get(PERSISTED_QUERIES_KEY);
  forgetPersistedQueries();
  if (kept) page.stored.set(PERSISTED_QUERIES_KEY, kept);
}

test('answers that came before anything was stored are there on the next visit, and asked for again', async () => {
  await visit({ list: ['first'], at: Date.now() });
  leave();
  const client = await visit();
  expect(client.getQueryData(LIST)).toEqual(['first']);
  expect(client.getQueryState(LIST)?.isInvalidated).toBe(true);
});

test('a stored answer that is newer than the page’s own is asked for again, an older one is not shown', async () => {
  await visit({ list: ['stored'], at: Date.now() });
  leave();
  const older = await visit({ list: ['own'], at: Date.now() - 60_000 });
  expect([older.getQueryData(LIST), older.getQueryState(LIST)?.isInvalidated]).toEqual([['stored'], true]);
  leave();
  const newer = await visit({ list: ['own'], at: Date.now() + 60_000 });
  expect([newer.getQueryData(LIST), newer.getQueryState(LIST)?.isInvalidated]).toEqual([['own'], false]);
});
