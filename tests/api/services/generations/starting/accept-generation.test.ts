import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueue, type Queue } from '#api/queue/queue.ts';
import {
  chooseGenerationPriority,
  PAID_HEAD_START_SECONDS,
} from '#api/services/generations/starting/accept-generation.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { until } from '#tests/support/until.ts';

let database: TestDatabase;
let queue: Queue;
beforeAll(async () => {
  database = await borrowTestDatabase();
  queue = await openQueue(
    database,
    { databaseUrl: database.databaseUrl, roles: ['worker'] },
    pino({ level: 'silent' }),
  );
});
afterAll(async () => {
  await queue.stop();
  await database.close();
});

test('people who have paid go first, but never before those who have waited longer than their head start', async () => {
  const now = Date.now();
  const ago = (seconds: number) => now - seconds * 1000;
  const line: [name: string, isPaid: boolean, since: number][] = [
    ['paid, just now', true, now],
    ['free, just now', false, now],
    ['free, soon starving', false, ago(PAID_HEAD_START_SECONDS + 31)],
    ['free, a while', false, ago(PAID_HEAD_START_SECONDS - 60)],
    ['paid, a while', true, ago(30)],
  ];
  const ids = line.map((_, index) => `00000000-0000-7000-8000-00000000000${index}`);
  await database.db.$transaction(async (tx) => {
    for (const [index, [, isPaid, since]] of line.entries()) {
      const payload = { generationId: ids[index] ?? '' };
      await queue.send(tx, 'run-generation', payload, { priority: chooseGenerationPriority(isPaid, since) });
    }
  });
  const ran: string[] = [];
  await queue.work('run-generation', { concurrency: 1 }, async ({ generationId }) => {
    ran.push(line[ids.indexOf(generationId)]?.[0] ?? '');
  });
  await until(() => expect(ran).toHaveLength(line.length));
  expect(ran).toEqual(['free, soon starving', 'paid, a while', 'paid, just now', 'free, a while', 'free, just now']);
});

test('priorities fit into the queue’s 32 bits for decades', () => {
  expect(chooseGenerationPriority(false, Date.UTC(2060, 0, 1))).toBeGreaterThan(-(2 ** 31));
});
