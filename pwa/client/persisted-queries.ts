import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import type { Query, QueryClient } from '@tanstack/react-query';
import {
  type PersistedClient,
  persistQueryClientRestore,
  persistQueryClientSave,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client';
import { keepFirstPage } from './keep-first-page.ts';
import { PERSISTED_QUERIES_KEY } from './query-client.ts';

/** Older answers are not shown. */
const MAX_AGE_MS = 24 * 3600_000;
const WRITE_PAUSE_MS = 1000;
const BUILD_ID: string = import.meta.env.VITE_BUILD_ID ?? 'development';

/** The forms in which an answer is stored: whole, only a list's first page, or that page without download rights. */
const STORED_FORMS = {
  whole: (data: unknown) => data,
  first_page: (data: unknown) => keepFirstPage(data as Pages),
  gallery: (data: unknown) => forgetRights(keepFirstPage(data as Pages)),
};

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * Stores the answer on the device, in this form, for use without a network. Never use it for identity, balances
       * or payments.
       */
      persist?: keyof typeof STORED_FORMS;
    };
  }
}

let keeping: { userId: number; stop: () => void } | null = null;

/**
 * Restores the answers that this build stored for this account within the last day, and stores new ones from now on.
 * Restored answers are stale: they are shown at once and fetched again.
 */
export async function persistQueries(queryClient: QueryClient, userId: number): Promise<void> {
  if (keeping?.userId === userId) return;
  if (keeping) {
    // Another tab has changed the account before this one could notice.
    keeping.stop();
    queryClient.clear();
  }
  let isKept = true;
  let unsubscribe: (() => void) | null = null;
  keeping = {
    userId,
    stop: () => {
      isKept = false;
      unsubscribe?.();
    },
  };
  const options = {
    queryClient,
    maxAge: MAX_AGE_MS,
    buster: `${BUILD_ID}:${userId}`,
    persister: createSyncStoragePersister({
      key: PERSISTED_QUERIES_KEY,
      throttleTime: WRITE_PAUSE_MS,
      storage: {
        getItem: (key) => localStorage.getItem(key),
        // A delayed write must not restore what a sign-out has just removed.
        setItem: (key, value) => {
          if (isKept) localStorage.setItem(key, value);
        },
        removeItem: (key) => localStorage.removeItem(key),
      },
      // On a full device nothing is stored. A retry with less data would only block the page.
      retry: () => undefined,
      serialize: (client) => JSON.stringify(toStored(client)),
    }),
    dehydrateOptions: {
      shouldDehydrateQuery: (query: Query) => query.state.data !== undefined && query.meta?.persist !== undefined,
      // A persisted mutation would be sent twice.
      shouldDehydrateMutation: () => false,
    },
  };
  const cache = queryClient.getQueryCache();
  const known = new Map(cache.getAll().map(({ queryHash, state }) => [queryHash, state.data]));
  try {
    await persistQueryClientRestore(options);
    for (const query of cache.getAll()) if (query.state.data !== known.get(query.queryHash)) query.invalidate();
  } catch (error) {
    console.warn('nothing could be restored:', error);
  }
  if (!isKept) return;
  unsubscribe = persistQueryClientSubscribe(options);
  // Answers of the first visit may have come before.
  if (known.size > 0) await persistQueryClientSave(options);
}

/** Stops storing and removes what was stored. */
export function forgetPersistedQueries(): void {
  keeping?.stop();
  keeping = null;
  localStorage.removeItem(PERSISTED_QUERIES_KEY);
}

interface Pages {
  pages: unknown[];
  pageParams: unknown[];
}

function forgetRights({ pages, pageParams }: Pages): Pages {
  const isRight = (name: string) => name === 'canDownload' || name === 'canDownloadOriginals';
  const text = JSON.stringify(pages, (name, value: unknown) => (isRight(name) ? undefined : value));
  return { pages: JSON.parse(text), pageParams };
}

function toStored(client: PersistedClient): PersistedClient {
  const queries = client.clientState.queries.map((query) => {
    const { persist } = (query.meta ?? {}) as { persist?: keyof typeof STORED_FORMS };
    const data = persist ? STORED_FORMS[persist](query.state.data) : undefined;
    // The last good answer is stored even if the query has failed since.
    const state = { ...query.state, data, status: 'success' as const, error: null, fetchFailureReason: null };
    return { ...query, state };
  });
  return { ...client, clientState: { ...client.clientState, queries } };
}
