import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount, createPhoto } from '#tests/support/factories.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('ids of ordinary accounts start at 1000', async () => {
  expect((await createAccount(database)).id).toBeGreaterThanOrEqual(1000);
});

test('a balance below zero is refused', async () => {
  const { id } = await createAccount(database, { stars: 1 });
  const overdraw = database.db.account.update({ where: { id }, data: { starBalance: { decrement: 2 } } });
  await expect(overdraw).rejects.toThrow('accounts_star_balance_check');
});

test('ledger rows can be neither changed nor removed', async () => {
  const { id: accountId } = await createAccount(database, { stars: 1 });
  const rows = { where: { accountId } };
  await expect(database.db.starEntry.updateMany({ ...rows, data: { delta: 5 } })).rejects.toThrow('append-only');
  await expect(database.db.starEntry.deleteMany(rows)).rejects.toThrow('append-only');
  expect(await database.db.starEntry.count(rows)).toBe(1);
});

test('a hold that adds stars is refused', async () => {
  const { id: accountId } = await createAccount(database);
  const entry = database.db.starEntry.create({ data: { accountId, kind: 'hold', delta: 1, causeKey: 'hold:wrong' } });
  await expect(entry).rejects.toThrow('star_entries_delta_check');
});

test('a timestamp comes back as it was written, whatever the zone of the server', async () => {
  const writtenAt = new Date('2026-01-02T03:04:05.678Z');
  const { id } = await createAccount(database);
  await database.db.account.update({ where: { id }, data: { createdAt: writtenAt } });
  expect((await database.db.account.findUniqueOrThrow({ where: { id } })).createdAt).toEqual(writtenAt);
  const { rows } = await database.pool.query(
    'SELECT extract(epoch FROM created_at)::float8 AS seconds FROM accounts WHERE id = $1',
    [id],
  );
  expect(rows[0].seconds).toBeCloseTo(writtenAt.getTime() / 1000, 3);
});

test('a photo with files takes room', async () => {
  const { id: accountId } = await createAccount(database);
  const { id } = await createPhoto(database, accountId);
  const emptied = database.db.photo.update({ where: { id }, data: { storedBytes: 0 } });
  await expect(emptied).rejects.toThrow('photos_files_check');
});
