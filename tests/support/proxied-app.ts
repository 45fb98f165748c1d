import { pino } from 'pino';
import { countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { openDatabase } from '#api/database/database.ts';
import { borrowTestDatabase } from './database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

export interface ProxiedApp extends TestApp {
  proxy: DatabaseProxy;
}

/** A server whose statements go through a proxy to PostgreSQL. Its queue and its account events do not. */
export async function createProxiedApp(options: TestAppOptions = {}): Promise<ProxiedApp> {
  const direct = await borrowTestDatabase();
  const { dataDir, databaseUrl } = direct;
  if (!databaseUrl) throw new Error('the embedded database has no network in front of it');
  const proxy = await startDatabaseProxy(databaseUrl);
  const proxied = await openDatabase(
    { dataDir, databaseUrl: proxy.urlOf(databaseUrl), connections: countConnections(ROLES) },
    pino({ level: 'silent' }),
  );
  const database = {
    ...direct,
    ...proxied,
    async close() {
      await proxied.close();
      await proxy.close();
      await direct.close();
    },
  };
  return { ...(await createTestApp({ ...options, database })), proxy };
}
