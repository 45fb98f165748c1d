import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BATCH_PAUSE_MS, refetchSoon } from '#pwa/client/refetch-soon.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Data that a page shows. Each question is answered after 100 ms. */
function showData(queryKey: string[]) {
  const questions: number[] = [];
  const client = new QueryClient();
  const queryFn = () => {
    questions.push(performance.now());
    return new Promise((resolve) => setTimeout(resolve, 100, questions.length));
  };
  const stop = new QueryObserver(client, { queryKey, queryFn, initialData: 0, staleTime: Infinity }).subscribe(
    () => {},
  );
  return { client, questions, stop };
}

test('many changes at once are one question at once and one more afterwards', async () => {
  const { client, questions, stop } = showData(['shown']);
  for (let change = 0; change < 50; change += 1) void refetchSoon(client, ['shown']);
  expect(questions).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(questions).toHaveLength(2);
  stop();
});

test('a change that comes while the answer is on its way is not lost', async () => {
  const { client, questions, stop } = showData(['late']);
  void refetchSoon(client, ['late']);
  await vi.advanceTimersByTimeAsync(50);
  void refetchSoon(client, ['late']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(questions).toHaveLength(2);
  stop();
});

test('changes without end are about two questions a second', async () => {
  const { client, questions, stop } = showData(['busy']);
  for (let time = 0; time < 10_000; time += 20) {
    void refetchSoon(client, ['busy']);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(questions.length).toBeGreaterThan(15);
  expect(questions.length).toBeLessThan(22);
  stop();
});

test('changes of a batch without end are a question each two seconds', async () => {
  const { client, questions, stop } = showData(['batch']);
  for (let time = 0; time < 10_000; time += 20) {
    void refetchSoon(client, ['batch'], BATCH_PAUSE_MS);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(questions).toHaveLength(5);
  stop();
});

test('what no page shows is only marked as changed', async () => {
  const client = new QueryClient();
  client.setQueryData(['hidden'], 1);
  void refetchSoon(client, ['hidden']);
  expect(client.getQueryState(['hidden'])?.isInvalidated).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
});
