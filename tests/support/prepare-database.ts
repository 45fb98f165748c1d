import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { databasePrefix } from './database.ts';
import { prepareEmbeddedTemplate, prepareServerTemplate } from './database-template.ts';

/**
 * Runs once before the tests of a project. Makes the database template, so that not every worker makes it, and a folder
 * for temporary files. Returns a function that removes that folder and the tests' databases.
 */
export default async function prepareDatabase({ config }: TestProject): Promise<() => Promise<void>> {
  const serverUrl = config.env?.TEST_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  if (serverUrl) await prepareServerTemplate(serverUrl);
  else await prepareEmbeddedTemplate();
  process.env.TEST_RUN_DIR ??= mkdtempSync(path.join(tmpdir(), 'podium-run-'));
  const folder = process.env.TEST_RUN_DIR;
  return async () => {
    if (serverUrl) await dropDatabases(serverUrl);
    rmSync(folder, { recursive: true, force: true });
  };
}

async function dropDatabases(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [databasePrefix()],
  );
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.end();
}
