import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { isUncertain } from '#pwa/client/start-intent.ts';
import { beginWork } from '#pwa/device/busy.ts';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { createStore, type Store } from '#pwa/device/store.ts';
import { batchQuery, noteBatch } from '#pwa/features/batches/batch-queries.ts';
import { reviewRows } from '#shared/contract/batches.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { applyDecisions, type Decision, type Decisions } from './review-state.ts';

// Mutations of TanStack Query would send each decision by itself. Here the last decision about a row replaces one that
// still waits, and all that was decided during a request goes with the next one.

/** Decisions of one batch that the server does not have yet. */
export interface Outbox {
  /** What is on its way or waits for the connection, by row id. */
  pending: Decisions;
  /** What the server has refused. These rows are again as the server has them. Null when nothing was refused. */
  refusal: { decisions: Decisions; error: ApiError } | null;
}

const EMPTY: Outbox = { pending: new Map(), refusal: null };
const PAUSES = { firstMs: 2_000, longestMs: 60_000 };

const outboxes = new Map<string, Store<Outbox>>();
const senders = new Set<string>();

/** The decisions of this tab about a batch. They outlive the review, but not a reload. */
export function outboxOf(batchId: string): Store<Outbox> {
  const outbox = outboxes.get(batchId) ?? createStore(EMPTY);
  outboxes.set(batchId, outbox);
  return outbox;
}

/**
 * Takes decisions on their way to the server: one request at a time, so that the last decision about a row stays, with
 * everything that was decided meanwhile. Without a connection they wait.
 */
export function sendDecisions(queryClient: QueryClient, batchId: string, decisions: Decisions): void {
  const outbox = outboxOf(batchId);
  outbox.set({ pending: new Map([...outbox.get().pending, ...decisions]), refusal: null });
  if (senders.has(batchId)) return;
  senders.add(batchId);
  const endWork = beginWork();
  void sendAll(queryClient, batchId).finally(() => {
    senders.delete(batchId);
    endWork();
  });
}

/** Forgets what was refused. */
export function dropRefusal(batchId: string): void {
  const outbox = outboxOf(batchId);
  outbox.set({ ...outbox.get(), refusal: null });
}

async function sendAll(queryClient: QueryClient, batchId: string): Promise<void> {
  const outbox = outboxOf(batchId);
  for (let failures = 0; outbox.get().pending.size > 0; ) {
    if (!hasConnection()) await waitForConnection();
    const sent = outbox.get().pending;
    try {
      await send(queryClient, batchId, sent);
      failures = 0;
      outbox.set({ ...outbox.get(), pending: withoutSent(outbox.get().pending, sent) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isTemporary(error)) {
        await waitForNextTry(backOffMs(failures++, PAUSES));
        continue;
      }
      outbox.set({ pending: withoutSent(outbox.get().pending, sent), refusal: { decisions: sent, error } });
    }
  }
}

async function send(queryClient: QueryClient, batchId: string, sent: Decisions): Promise<void> {
  const decisions = [...sent].map(([rowId, isTaken]) => ({ rowId, isTaken }));
  const batch = await callApi(reviewRows, { params: { id: batchId }, body: { decisions } });
  await noteBatch(queryClient, batchId, { batch });
  queryClient.setQueryData(
    batchQuery(batchId).queryKey,
    (known) => known && { ...known, rows: [...applyDecisions(known.rows, sent)] },
  );
  await untilPagesKnow();
}

/** Queries tell their pages in a task of its own. What is forgotten before it would show the former rows for a moment. */
export function untilPagesKnow(): Promise<void> {
  return new Promise((resolve) => notifyManager.schedule(resolve));
}

/** What was decided while `sent` was on its way. */
function withoutSent(pending: Decisions, sent: Decisions): Map<string, Decision> {
  return new Map([...pending].filter(([id, isTaken]) => sent.get(id) !== isTaken));
}

function isTemporary({ status }: ApiError): boolean {
  return isUncertain(status) || status === 429;
}

function waitForConnection(): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (!hasConnection()) return;
      stop();
      resolve();
    });
  });
}

function waitForNextTry(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
