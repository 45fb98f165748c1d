import { expect, test } from 'vitest';
import { readMigrations } from '#prisma/schema-engine.ts';

/** From here on two versions run at once during an upgrade, and the older one is what a rollback returns to. */
const FIRST_CHECKED = '20261123220000';
/** A comment before a statement of no known form. It says why the version before can live with it, or since when. */
const REASON = /^-- compatible: \S.{20,}$/m;

const NAME = String.raw`"?\w+"?`;
const LITERAL = String.raw`(?:-?\d+(?:\.\d+)?|'(?:[^']|'')*'(?:::[\w"]+)?|true|false|current_timestamp|array\[\](?:::[\w" ]+\[\])?)`;
/** A serial has a default that differs in each row, and PostgreSQL writes them all. */
const TYPE = String.raw`(?!\w*serial\b)"?\w+"?(?: precision| varying)?(?: ?\(\d+(?:, ?\d+)?\))?(?:\[\])?`;
/** An older version leaves the column out, and PostgreSQL need not write the rows that exist. */
const HARMLESS_COLUMN = new RegExp(
  `^add column ${NAME} ${TYPE}(?: null| default ${LITERAL}| not null default ${LITERAL}| default ${LITERAL} not null)?$`,
  'i',
);
/** What makes something new. */
const NEW_THING = new RegExp(`^create (?:table ${NAME} ?\\(|type ${NAME} as enum ?\\()`, 'i');
const INDEX = new RegExp(`^create (unique )?index (?!concurrently )${NAME} on (${NAME}) ?\\(`, 'i');
const ALTERATION = new RegExp(`^alter table (${NAME}) (.+)$`, 'i');

/** The statements of a script, each in one line, and whether a reason stands before it. */
function splitScript(script: string): { sql: string; hasReason: boolean }[] {
  const statements: { text: string; comments: string }[] = [{ text: '', comments: '' }];
  for (const [token] of script.matchAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/g)) {
    const current = statements.at(-1) as { text: string; comments: string };
    if (token === ';') statements.push({ text: '', comments: '' });
    else if (token.startsWith('--')) current.comments += `${token}\n`;
    else current.text += token;
  }
  return statements
    .map(({ text, comments }) => ({ sql: text.trim().replaceAll(/\s+/g, ' '), hasReason: REASON.test(comments) }))
    .filter(({ sql }) => sql !== '');
}

/** The parts between the commas that are outside of brackets and quotes. */
function splitActions(actions: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of actions.matchAll(/'(?:[^']|'')*'|"[^"]*"|[\s\S]/g)) {
    if (token === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + token);
    if ('(['.includes(token)) depth++;
    if (')]'.includes(token)) depth--;
  }
  return parts.map((part) => part.trim());
}

/**
 * The statements that have none of the forms that the version before can run beside. Everything may be done to a table
 * that the same script creates. Indexes and alterations of older tables belong into separate scripts: a script is one
 * transaction, and an alteration would keep readers out while the index is built.
 */
function findIncompatibilities(script: string): string[] {
  const statements = splitScript(script);
  const created = new Set(
    statements.map(({ sql }) => new RegExp(`^create table (${NAME})`, 'i').exec(sql)?.[1]).filter(Boolean),
  );
  const isKnown = (sql: string) => {
    if (NEW_THING.test(sql)) return true;
    const [, unique, indexed] = INDEX.exec(sql) ?? [];
    if (indexed) return created.has(indexed) || !unique;
    const [, altered, actions = ''] = ALTERATION.exec(sql) ?? [];
    return (
      altered !== undefined && (created.has(altered) || splitActions(actions).every((one) => HARMLESS_COLUMN.test(one)))
    );
  };
  const unknown = statements.filter(({ sql, hasReason }) => !hasReason && !isKnown(sql)).map(({ sql }) => sql);
  const index = statements.find(({ sql }) => INDEX.test(sql) && !created.has(INDEX.exec(sql)?.[2]));
  const isAltering = statements.some(({ sql }) => ALTERATION.test(sql));
  return [...unknown, ...(index && isAltering ? [`beside ALTER TABLE: ${index.sql}`] : [])];
}

test('every statement of a migration has a form that the version before can run beside', async () => {
  const { migrationDirectories } = await readMigrations();
  const complaints = migrationDirectories
    .filter(({ path }) => path >= FIRST_CHECKED)
    .flatMap(({ path, migrationFile: { content } }) =>
      findIncompatibilities(content.tag === 'ok' ? content.value : '').map((what) => `${path}: ${what}`),
    );
  expect(complaints).toEqual([]);
});

test.each([
  'DROP TABLE "a"',
  'DROP INDEX "a"',
  'ALTER TABLE "a" DROP COLUMN "b"',
  'ALTER TABLE "a" RENAME COLUMN "b" TO "c"',
  'ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE BIGINT',
  'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL',
  'ALTER TABLE "a" ALTER COLUMN "b" DROP DEFAULT',
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL',
  'ALTER TABLE "a" ADD COLUMN "b" DECIMAL(10,2) NOT NULL',
  'ALTER TABLE "a" ADD COLUMN "c" TEXT, ADD COLUMN "b" DECIMAL(10,2) NOT NULL',
  'ALTER TABLE "a" ADD COLUMN IF NOT EXISTS "b" INTEGER',
  'ALTER TABLE "a" ADD COLUMN "b" UUID NOT NULL DEFAULT gen_random_uuid()',
  'ALTER TABLE "a" ADD COLUMN "b" DOUBLE PRECISION DEFAULT random()',
  'ALTER TABLE "a" ADD COLUMN "b" TIMESTAMPTZ(3) DEFAULT clock_timestamp()',
  'ALTER TABLE "a" ADD COLUMN "b" SERIAL',
  'ALTER TABLE "a" ADD COLUMN "b" TEXT UNIQUE',
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER GENERATED ALWAYS AS ("c" + 1) STORED',
  'ALTER TABLE "a" ADD CONSTRAINT "b" CHECK ("c" > 0)',
  'ALTER TABLE "a" ADD CONSTRAINT "b" UNIQUE ("c")',
  'ALTER TABLE "a" ADD CONSTRAINT "b" FOREIGN KEY ("c") REFERENCES "d"("id")',
  'CREATE UNIQUE INDEX "a_b_key" ON "a"("b")',
  'UPDATE "a" SET "b" = 1',
  'UPDATE ONLY "a" SET "b" = 1',
  'UPDATE "a" AS x SET "b" = 1',
  'DELETE FROM "a"',
  'INSERT INTO "a" SELECT * FROM "b"',
  `ALTER TYPE "a" ADD VALUE 'b'`,
  'DO $$ begin delete from "a"; end $$',
])('%s is refused', (sql) => {
  expect(findIncompatibilities(`-- A comment; it's one.\n${sql};`)).toEqual([sql]);
});

test('an index of an older table is refused beside an alteration, which would keep readers out meanwhile', () => {
  const index = 'CREATE INDEX "a_b_idx" ON "a"("b")';
  expect(findIncompatibilities(`ALTER TABLE "a" ADD COLUMN "b" TEXT;\n${index};`)).toEqual([
    `beside ALTER TABLE: ${index}`,
  ]);
});

test('a reason counts for the statement that it stands before', () => {
  const script =
    '-- compatible: no version since 1.2 reads this column\nALTER TABLE "a" DROP COLUMN "b";\nDROP TABLE "c";';
  expect(findIncompatibilities(script)).toEqual(['DROP TABLE "c"']);
});

test.each([
  'CREATE TABLE "a" ("b" INTEGER NOT NULL);',
  `CREATE TYPE "a" AS ENUM ('b', 'c;d');`,
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER;',
  'ALTER TABLE "a" ADD COLUMN     "b" DECIMAL(10, 2),\nADD COLUMN "c" TEXT[];',
  'ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "c" TEXT;',
  `ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL DEFAULT 'it''s; fine, too';`,
  'ALTER TABLE "a" ADD COLUMN "b" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;',
  'CREATE INDEX "a_b_idx" ON "a"("b") WHERE "c" IS NOT NULL;',
  'CREATE TABLE "a" ("b" INTEGER);\nCREATE UNIQUE INDEX "a_b_key" ON "a"("b");\nALTER TABLE "a" ADD CONSTRAINT "c" CHECK ("b" > 0);',
])('%s is allowed', (sql) => {
  expect(findIncompatibilities(sql)).toEqual([]);
});
