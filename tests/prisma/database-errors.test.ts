import { afterAll, beforeAll, expect, test } from 'vitest';
import { findServerCode, findViolatedConstraint } from '#prisma/database-errors.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(
    'CREATE TABLE told (n int CONSTRAINT told_once UNIQUE, CONSTRAINT told_positive CHECK (n > 0))',
  );
});
afterAll(async () => {
  await database.pool.query('DROP TABLE told');
  await database.close();
});

const insert = (n: number) => database.db.$executeRawUnsafe(`INSERT INTO told VALUES (${n})`).catch((error) => error);

test('the error of a statement that breaks a unique constraint names the constraint', async () => {
  expect(await insert(1)).toBe(1);
  expect(findViolatedConstraint(await insert(1))).toBe('told_once');
});

test('any other error names none', async () => {
  expect(findViolatedConstraint(await insert(-1))).toBeNull();
  expect(findViolatedConstraint(new Error('something else'))).toBeNull();
  expect(findViolatedConstraint(undefined)).toBeNull();
});

test('the code of the server is read from the error of a raw statement and of a model', async () => {
  expect(findServerCode(await insert(-1))).toBe('23514');
  const packages = database.db.starPackage.updateMany({ data: { stars: -1 } });
  expect(findServerCode(await packages.catch((error) => error))).toBe('23514');
  expect(findServerCode(new Error('something else'))).toBeNull();
});
