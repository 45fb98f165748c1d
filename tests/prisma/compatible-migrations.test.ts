import { expect, test } from 'vitest';
import { readMigrations } from '#prisma/schema-engine.ts';

/** From here on two versions run at once during an upgrade, and the older one is what a rollback returns to. */
const FIRST_CHECKED = '20261123220000';
/** What the version before cannot live with. */
const INCOMPATIBLE: [what: string, pattern: RegExp][] = [
  ['drops a table', /\bdrop\s+table\b/i],
  ['drops a column', /\bdrop\s+column\b/i],
  ['renames', /\brename\b/i],
  ['changes a type', /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i],
  ['requires a value that the version before does not write', /\bset\s+not\s+null\b/i],
  ['adds a column without a default', /\badd\s+column\s+\S+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i],
  // One transaction holds the table until every row is written, and everybody waits.
  ['writes rows', /\bupdate\s+"?\w+"?\s+set\b/i],
  ['writes every row anew', /\bgenerated\s+always\s+as\s*\(/i],
  ['drops a default', /\bdrop\s+default\b/i],
  // An older client cannot read a value that its enum does not have.
  ['adds a value to an enum', /\balter\s+type\s+\S+\s+add\s+value\b/i],
];
/** A line in the migration that says since which release the version before is ready for it. */
const REASON = /^-- compatible: \S.{20,}$/m;

function findIncompatibilities(sql: string): string[] {
  if (REASON.test(sql)) return [];
  const statements = sql.replace(/--.*$/gm, '');
  return INCOMPATIBLE.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what);
}

test('no migration has a statement that the version before cannot run beside', async () => {
  const { migrationDirectories } = await readMigrations();
  const complaints = migrationDirectories
    .filter(({ path }) => path >= FIRST_CHECKED)
    .flatMap(({ path, migrationFile: { content } }) =>
      findIncompatibilities(content.tag === 'ok' ? content.value : '').map((what) => `${path} ${what}`),
    );
  expect(complaints).toEqual([]);
});

test.each([
  ['DROP TABLE "a";', 'drops a table'],
  ['ALTER TABLE "a" DROP COLUMN "b";', 'drops a column'],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', 'renames'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE BIGINT;', 'changes a type'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', 'requires a value that the version before does not write'],
  ['ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL;', 'adds a column without a default'],
  ['UPDATE "a" SET "b" = 1;', 'writes rows'],
  ['ALTER TABLE "a" ADD COLUMN "b" INTEGER GENERATED ALWAYS AS ("c" + 1) STORED;', 'writes every row anew'],
  [`ALTER TYPE "a" ADD VALUE 'b';`, 'adds a value to an enum'],
])('%s is refused', (sql, what) => {
  expect(findIncompatibilities(sql)).toEqual([what]);
});

test.each([
  'CREATE TABLE "a" ("b" INTEGER NOT NULL);',
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER;',
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "c" TEXT;',
  '-- compatible: no version since 1.2 reads this column\nALTER TABLE "a" DROP COLUMN "b";',
])('%s is allowed', (sql) => {
  expect(findIncompatibilities(sql)).toEqual([]);
});
