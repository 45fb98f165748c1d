import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { advanceAllLines, claimRow } from '#api/services/batches/line.ts';
import { completeGeneration } from '#api/services/generations/running/outcome.ts';
import { ACTIVE_STATUSES, GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { createAccount, createStoredPhoto, VIDEO_RESULT } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
const NEVER = new AbortController().signal;

// What is left in line or at the engine would take the places of the next test.
afterEach(async () => {
  const { app } = testApp;
  await app.db.batchLine.updateMany({ data: { isOpen: false } });
  await app.db.batch.updateMany({ where: { status: 'running' }, data: { status: 'open' } });
  await app.db.generation.updateMany({ where: { status: 'pending' }, data: { status: 'failed' } });
});

/** An account with a running batch of so many waiting rows. */
async function createWaiting(rows: number, { isPaid = false } = {}): Promise<number> {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app, { stars: rows, isPaid });
  const photo = await createStoredPhoto(app, accountId);
  await app.db.batch.create({
    data: {
      id: randomUUID(),
      accountId,
      kind: 'video',
      name: 'Партия',
      settings: {},
      status: 'running',
      startedAt: new Date(),
      rows: {
        create: Array.from({ length: rows }, (_, position) => ({
          id: randomUUID(),
          position,
          stage: 'waiting' as const,
          name: 'photo.jpg',
          photoId: photo.id,
          agreedStars: 1,
        })),
      },
    },
  });
  await app.db.batchLine.create({ data: { accountId, kind: 'video', isOpen: true } });
  return accountId;
}

it('starts no second row of an account while another that may run has had none', async () => {
  const { app } = testApp;
  const accounts: number[] = [];
  for (let index = 0; index < 8; index++) accounts.push(await createWaiting(4, { isPaid: index % 2 === 0 }));
  const order: number[] = [];
  while (order.length < 32) {
    const known = new Set(await listStarted());
    await advanceAllLines(app, NEVER);
    const active = await app.db.generation.findMany({
      where: { status: { in: [...ACTIVE_STATUSES] } },
      orderBy: { createdAt: 'asc' },
    });
    for (const { id, accountId } of active) if (!known.has(id)) order.push(accountId);
    // One ends at a time, so that each place is given anew.
    const [first] = active;
    if (first) await completeGeneration(app, first, [VIDEO_RESULT]);
  }
  for (const accountId of accounts) expect(order.filter((one) => one === accountId)).toHaveLength(4);
  const firsts = accounts.map((accountId) => order.indexOf(accountId));
  const seconds = accounts.map((accountId) => order.indexOf(accountId, order.indexOf(accountId) + 1));
  expect(Math.max(...firsts)).toBeLessThan(Math.min(...seconds));
});

async function listStarted(): Promise<string[]> {
  return (await testApp.app.db.generation.findMany({ select: { id: true } })).map(({ id }) => id);
}

it('claims each row for one of two processes', async () => {
  const { app } = testApp;
  await createWaiting(1);
  await createWaiting(1);
  const claims = await Promise.all([claimRow(app, GENERATION_KINDS), claimRow(app, GENERATION_KINDS)]);
  const rows = claims.map((claim) => (claim && claim !== 'again' ? claim.row.id : null));
  expect(new Set(rows).size).toBe(2);
});

it('leaves a row in line when the process is killed before its start, and starts it then', async () => {
  const { app } = testApp;
  const accountId = await createWaiting(1);
  await claimRow(app, GENERATION_KINDS);
  await advanceAllLines(app, NEVER);
  expect(await app.db.generation.count({ where: { accountId } })).toBe(1);
});
