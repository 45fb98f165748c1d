import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '#api/database/database.ts';
import { openQueue } from '#api/queue/queue.ts';
import { readMigrations } from '#prisma/schema-engine.ts';

const CACHE_DIR = path.resolve('node_modules/.cache/podium');
const ADVISORY_LOCK = 7_301_977;

/**
 * Tests copy their databases from templates, which have all migrations and the queue's tables. A template is made once
 * for each state of the migrations, the queue, the lock file and this file.
 */
async function hashTemplate(): Promise<string> {
  const hash = createHash('sha256');
  for (const { path: name, migrationFile } of (await readMigrations()).migrationDirectories) {
    hash.update(`${name}\n${JSON.stringify(migrationFile.content)}\n`);
  }
  for (const file of ['package-lock.json', 'api/queue/queue.ts', 'tests/support/database-template.ts']) {
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Opens the queue without a worker: what one has looked after shows that it was there. */
async function fillTemplate(config: { dataDir: string; databaseUrl: string | undefined }): Promise<void> {
  const log = pino({ level: 'silent' });
  const database = await openDatabase(config, log);
  const queue = await openQueue(database, { ...config, roles: ['api'] }, log);
  await queue.stop();
  await database.close();
}

/** The folder of an embedded database to copy. */
export async function prepareEmbeddedTemplate(): Promise<string> {
  const folder = path.join(CACHE_DIR, `database-${await hashTemplate()}`);
  if (existsSync(folder)) return path.join(folder, 'db');
  await mkdir(CACHE_DIR, { recursive: true });
  const draft = await mkdtemp(path.join(CACHE_DIR, 'draft-'));
  await fillTemplate({ dataDir: draft, databaseUrl: undefined });
  // Another run may have made the same template meanwhile. The first one is kept.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return path.join(folder, 'db');
}

/** Makes a data folder's embedded database. */
export async function copyEmbeddedTemplate(dataDir: string): Promise<void> {
  // For a thousand small files the synchronous copy takes a fraction of the time of the thread pool.
  cpSync(await prepareEmbeddedTemplate(), path.join(dataDir, 'db'), { recursive: true });
}

/** The name of a database on the server to copy. */
export async function prepareServerTemplate(serverUrl: string): Promise<string> {
  const name = `podium_template_${await hashTemplate()}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return name;
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft}`);
    await client.query(`CREATE DATABASE ${draft}`);
    await fillTemplate({ dataDir: '', databaseUrl: urlOfDatabase(serverUrl, draft) });
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    // The end of the session releases the lock.
    await client.end();
  }
}

export function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
