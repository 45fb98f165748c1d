import { focusManager, onlineManager, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type AccountEvent, followAccountEvents } from '#pwa/client/account-events.ts';
import { syncPush } from '#pwa/client/push.ts';
import { CHANGED_BY, QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { BATCH_PAUSE_MS, refetchSoon } from '#pwa/client/refetch-soon.ts';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { showBadge } from '#pwa/features/generations/seen-results.ts';
import { whenEntered } from '#pwa/features/session/session-memory.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { unseenQuery } from './unseen-results.ts';

/** Delays the start, because none of this is needed for the first paint. */
const START_DELAY_MS = 1500;

/**
 * For signed-in people: refetches data when the server reports a change, and keeps the icon's badge and the push
 * subscription up to date.
 */
export function LiveUpdates() {
  const userId = useSessionMarker()?.userId ?? null;
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReady && userId !== null ? <Following key={userId} userId={userId} /> : null;
}

function Following({ userId }: { userId: number }) {
  const queryClient = useQueryClient();
  const unseen = useQuery(unseenQuery).data?.unseen;
  useEffect(() => {
    if (unseen !== undefined) void showBadge(unseen);
  }, [unseen]);

  useEffect(() => {
    const keepPush = () => {
      syncPush(userId).catch((error: unknown) => console.warn('push is not kept:', error));
    };
    // Without a connection this waits until the stream opens.
    const isKept = hasConnection();
    if (isKept) keepPush();
    // A reopened stream may belong to another session.
    let isFirst = isKept;
    return followAccountEvents(userId, {
      onEvent: (event) => void refetchChanged(queryClient, event),
      // The stream would carry the old token too.
      beforeOpen: whenEntered,
      onOpen: ({ isGap }) => {
        if (!isFirst) keepPush();
        isFirst = false;
        // After a gap everything is asked for again.
        if (isGap) return;
        // Between the page's first fetch and the opening a generation, a row or a pack may have ended, or a payment have
        // come. Generations are polled seldom, the others never.
        const { generation, batch, packs } = QUERY_KEYS;
        for (const queryKey of [generation, batch, packs, ...CHANGED_BY.balanceEvent]) {
          void refetchSoon(queryClient, queryKey);
        }
      },
    });
  }, [userId, queryClient]);
  return null;
}

/** Refetches what the page shows now. Other data are only marked as stale. */
async function refetchChanged(queryClient: QueryClient, { event, id = '', batchId }: AccountEvent): Promise<void> {
  // A replaced token ends the stream too.
  if (event === 'end') await whenEntered();
  const ofGeneration = [
    [...QUERY_KEYS.generation, id],
    [...QUERY_KEYS.videoFile, id],
  ];
  // A batch changes with each of its rows, of which several run at once.
  const ofBatch = (ownId: string) => [QUERY_KEYS.batches, [...QUERY_KEYS.batch, ownId]];
  if (event === 'batch' || batchId !== undefined) {
    for (const queryKey of ofBatch(batchId ?? id)) void refetchSoon(queryClient, queryKey, BATCH_PAUSE_MS);
    if (event === 'batch') return;
    for (const queryKey of [...CHANGED_BY.rowEvent, ...ofGeneration]) void refetchSoon(queryClient, queryKey);
    return;
  }
  // A pack tells of its progress each second.
  if (event === 'pack') return refetchSoon(queryClient, QUERY_KEYS.packs);
  const keys = {
    generation: [...CHANGED_BY.generationEvent, [...QUERY_KEYS.videoFile, id]],
    batch: [],
    balance: CHANGED_BY.balanceEvent,
    // The server may have been started with other settings in between.
    gap: [
      ...CHANGED_BY.generationEvent,
      QUERY_KEYS.videoFile,
      ...CHANGED_BY.balanceEvent,
      QUERY_KEYS.batches,
      QUERY_KEYS.batch,
      QUERY_KEYS.packs,
      QUERY_KEYS.tools,
      QUERY_KEYS.toolOffer,
    ],
    // If the session is over, the answer to this request reports it.
    end: [QUERY_KEYS.user],
  }[event];
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

/**
 * Tells the query library when the connection returns and when the window gets the focus. By itself it knows only the
 * network card, and that a page becomes visible.
 */
export function RefreshOnReturn() {
  useEffect(() => {
    onlineManager.setEventListener((setOnline) => {
      setOnline(hasConnection());
      return connection.subscribe(() => setOnline(hasConnection()));
    });
    const note = () => focusManager.onFocus();
    addEventListener('focus', note);
    return () => removeEventListener('focus', note);
  }, []);
  return null;
}
