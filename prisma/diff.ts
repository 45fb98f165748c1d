import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { MIGRATIONS_DIR, NO_FILTERS, readMigrations, withSchemaEngine } from './schema-engine.ts';

const SCHEMA_FILE = path.join(import.meta.dirname, 'schema.prisma');

/** An empty database in memory. The migrations are applied to it, and the result is compared with the schema. */
async function openScratchDatabase() {
  const database = await PGlite.create();
  const adapter = await new PrismaPGlite(database).connect();
  // The adapter's own method does not wait for the script, so it would hide a broken migration.
  adapter.executeScript = async (script) => {
    await database.exec(script);
  };
  return adapter;
}

/**
 * The SQL that turns the migrations' result into schema.prisma. Null when both agree. Throws when a migration is
 * broken.
 */
async function diffSchema(): Promise<string | null> {
  const files = [{ path: SCHEMA_FILE, content: await readFile(SCHEMA_FILE, 'utf8') }];
  const factory = {
    provider: 'postgres' as const,
    adapterName: 'pglite-prisma-adapter',
    connect: openScratchDatabase,
    connectToShadowDb: openScratchDatabase,
  };
  return withSchemaEngine(factory, [[SCHEMA_FILE, files[0]?.content ?? '']], async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await readMigrations()) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? null : (stdout ?? '');
  });
}

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const sql = await diffSchema();
if (sql === null) {
  console.log('schema.prisma and the migrations agree.');
} else if (values.check) {
  console.error(`schema.prisma and the migrations differ; run \`npm run db:diff -- <name>\`:\n\n${sql}`);
  process.exitCode = 1;
} else {
  const name = positionals[0];
  if (!name || !/^[a-z0-9_]+$/.test(name)) throw new Error('Name the change: npm run db:diff -- add_gallery');
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = path.join(MIGRATIONS_DIR, `${stamp}_${name}`);
  await mkdir(folder);
  await writeFile(path.join(folder, 'migration.sql'), sql);
  console.log(`Written: prisma/migrations/${stamp}_${name}/migration.sql. Read it before you commit it.`);
}
process.exit();
