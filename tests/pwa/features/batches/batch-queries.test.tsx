// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import * as queries from '#pwa/features/batches/batch-queries.ts';
import * as contract from '#shared/contract/batches.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { type ContractServer, startContractServer } from '#tests/pwa/support/contract-server.ts';
import { BATCH_ID, sampleBatch, sampleRow } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const ROWS = [sampleRow(1), sampleRow(2, { state: 'duplicate' }), sampleRow(3, { state: 'failed' })] as const;
const BATCH = sampleBatch(ROWS);
const { queryKey } = queries.batchQuery(BATCH_ID);

let server: ContractServer;
let client: ReturnType<typeof createQueryClient>;

beforeEach(() => {
  server = startContractServer();
  client = createQueryClient();
  client.setQueryData(queryKey, { batch: BATCH, rows: [...ROWS] });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  expect(server.faults).toEqual([]);
});

function use<T>(hook: () => T): () => T {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(hook, { wrapper });
  return () => result.current;
}

const known = () => client.getQueryData(queryKey);
const keyOf = (call: { headers: Headers } | undefined) => call?.headers.get(IDEMPOTENCY_KEY_HEADER);

test('commands about the batch show what they were answered', async () => {
  const change = use(() => queries.useChangeBatch(BATCH_ID));
  const pause = use(() => queries.usePauseBatch(BATCH_ID));
  const resume = use(() => queries.useResumeBatch(BATCH_ID));
  const stop = use(() => queries.useStopBatch(BATCH_ID));
  const commands = [
    [contract.changeBatch, () => change().mutate({ name: 'Платья' })],
    [contract.pauseBatch, () => pause().mutate()],
    [contract.resumeBatch, () => resume().mutate({ agreedStars: 3 })],
    [contract.stopBatch, () => stop().mutate()],
  ] as const;
  for (const [endpoint, send] of commands) {
    const name = `after ${endpoint.path}`;
    server.answer(endpoint, { ...BATCH, name });
    act(send);
    await until(() => expect(known()?.batch.name).toBe(name));
  }
});

test('commands about rows change these rows, and removed ones are gone', async () => {
  const change = use(() => queries.useChangeRow(BATCH_ID));
  const keep = use(() => queries.useKeepDuplicates(BATCH_ID));
  const remove = use(() => queries.useRemoveRows(BATCH_ID));
  const [first, second, third] = ROWS;
  server.answer(contract.changeRow, { ...first, article: 'ПЛ-7' });
  server.answer(contract.keepDuplicates, { batch: BATCH, rows: [{ ...second, state: 'ready' }] });
  server.answer(contract.removeRows, { batch: BATCH, rows: [first] });

  act(() => change().mutate({ rowId: first.id, article: 'ПЛ-7' }));
  await until(() => expect(known()?.rows[0]?.article).toBe('ПЛ-7'));
  act(() => keep().mutate([second.id]));
  await until(() => expect(known()?.rows[1]?.state).toBe('ready'));
  act(() => remove().mutate([first.id, third.id]));
  await until(() => expect(known()?.rows.map(({ id }) => id)).toEqual([first.id, second.id]));
});

test('a command that spends stars keeps its key until its outcome is certain', async () => {
  const start = use(() => queries.useStartBatch(BATCH_ID));
  const repeat = use(() => queries.useRepeatRows(BATCH_ID));
  const order = { isPilot: true, agreedStars: 3 };
  const sendAgain = async (times: number) => {
    act(() => start().mutate(order));
    await until(() => expect(server.callsOf(contract.startBatch)).toHaveLength(times));
    await until(() => expect(start().isPending).toBe(false));
  };
  server.cut(contract.startBatch);
  await sendAgain(1);
  server.answer(contract.startBatch, BATCH);
  await sendAgain(2);
  await sendAgain(3);
  const [lost, repeated, next] = server.callsOf(contract.startBatch).map(keyOf);
  expect(lost).toMatch(/^[\da-f-]{36}$/);
  expect(repeated).toBe(lost);
  expect(next).not.toBe(lost);

  server.answer(contract.repeatRows, BATCH);
  act(() => repeat().mutate({ agreedStars: 1 }));
  await until(() => expect(keyOf(server.callsOf(contract.repeatRows)[0])).toMatch(/^[\da-f-]{36}$/));
});

test('what a command has told is not undone by an answer that was on its way', async () => {
  use(() => queries.useBatch(BATCH_ID));
  const change = use(() => queries.useChangeRow(BATCH_ID));
  const [first, second] = ROWS;
  const changed = { ...first, article: 'ПЛ-7' };
  server.answer(contract.getBatch, { batch: BATCH, rows: [...ROWS] });
  const letThrough = server.hold(contract.getBatch);
  act(() => queries.refetchBatch(client, BATCH_ID));
  server.answer(contract.changeRow, changed);
  act(() => change().mutate({ rowId: first.id, article: 'ПЛ-7' }));
  await until(() => expect(known()?.rows[0]?.article).toBe('ПЛ-7'));
  const shown = new Set<unknown>();
  client.getQueryCache().subscribe(() => shown.add(known()?.rows[0]?.article));
  server.answer(contract.getBatch, { batch: BATCH, rows: [changed, second] });
  letThrough();
  await until(() => expect(known()?.rows).toHaveLength(2));
  expect([...shown]).toEqual(['ПЛ-7']);
});

test('an answer with the batch and its changed rows is enough, unless the page waits for more', async () => {
  use(() => queries.useBatch(BATCH_ID));
  const keep = use(() => queries.useKeepDuplicates(BATCH_ID));
  const [first, second, third] = ROWS;
  const kept = { ...second, state: 'ready' as const };
  let rows: contract.BatchRow[] = [...ROWS];
  server.answer(contract.getBatch, () => ({ batch: BATCH, rows }));
  server.answer(contract.keepDuplicates, { batch: BATCH, rows: [kept] });
  act(() => keep().mutate([second.id]));
  await until(() => expect(known()?.rows[1]?.state).toBe('ready'));
  await until(() => expect(keep().isPending).toBe(false));
  expect(server.callsOf(contract.getBatch)).toEqual([]);

  const letThrough = server.hold(contract.getBatch);
  void client.invalidateQueries({ queryKey });
  await until(() => expect(server.callsOf(contract.getBatch)).toHaveLength(1));
  act(() => keep().mutate([second.id]));
  await until(() => expect(server.callsOf(contract.getBatch)).toHaveLength(2));
  rows = [first, kept, { ...third, state: 'done' }];
  letThrough();
  await until(() => expect(known()?.rows[2]?.state).toBe('done'));
});

test('a deleted batch is forgotten, and one at rest is marked as seen', async () => {
  const see = use(() => queries.useSeeBatch(BATCH_ID));
  const onDeleted = vi.fn();
  const remove = use(() => queries.useDeleteBatch(BATCH_ID, onDeleted));
  server.answer(contract.seeBatch, undefined);
  server.answer(contract.deleteBatch, undefined);
  act(() => see().mutate());
  await until(() => expect(server.callsOf(contract.seeBatch)).toHaveLength(1));
  act(() => remove().mutate());
  await until(() => expect(onDeleted).toHaveBeenCalledOnce());
  await until(() => expect(known()).toBeUndefined());
});
