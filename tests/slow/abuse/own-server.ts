import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { type RunningServer, startServer } from '#tests/support/running-server.ts';

interface Options {
  env: Record<string, string>;
  databaseUrl?: string;
}

/** A server with settings of its own, for one attempt. */
export async function withServer<T>(options: Options, attempt: (server: RunningServer) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-abuse-'));
  const server = await startServer({ ...options, dataDir, port: await findFreePort() });
  try {
    return await attempt(server);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The same on a PostgreSQL of its own, where the attempt moves rows in time and sees what is stored. */
export async function withDatabase<T>(
  env: Record<string, string>,
  attempt: (place: { server: RunningServer; pool: pg.Pool }) => Promise<T>,
): Promise<T> {
  const binaries = findPostgresBinaries();
  if (!binaries) throw new Error('PostgreSQL is needed: install it, so that initdb can be found.');
  const postgres = await startPrivatePostgres(binaries);
  const pool = new pg.Pool({ connectionString: postgres.url });
  // An attempt may end connections, this one too.
  pool.on('error', () => undefined);
  try {
    return await withServer({ env, databaseUrl: postgres.url }, (server) => attempt({ server, pool }));
  } finally {
    await pool.end();
    await postgres.stop();
  }
}
