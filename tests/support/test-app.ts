import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { createAppContext } from '#api/app-context.ts';
import { readConfig } from '#api/config.ts';
import { createLogger } from '#api/logger.ts';
import { createServer } from '#api/server.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { PasswordCost } from '#api/services/ground/process-state.ts';
import { borrowTestDatabase, type TestDatabase } from './database.ts';
import { createFakeEngine, type FakeEngine } from './fake-engine.ts';

interface TestAppOptions {
  /** Settings over those of a test, by their names in the environment. */
  env?: Record<string, string>;
  /** Gets the lines of the log, which is silent otherwise. */
  onLogLine?: (line: string) => void;
  /** Instead of the one that knows only the real push services. */
  push?: PushSender;
  /** The least by default: hashing is meant to be expensive. */
  passwordCost?: PasswordCost;
}

const LEAST_PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export interface TestApp {
  app: AppContext;
  server: FastifyInstance;
  engine: FakeEngine;
  database: TestDatabase;
  /** Where mails land. */
  outboxFolder: string;
  close(): Promise<void>;
}

/** The whole server on a database, files and an outbox of its own; only the engine is a fake. Close it in afterAll. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { onLogLine, push, passwordCost = LEAST_PASSWORD_COST } = options;
  const database = await borrowTestDatabase();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    LOG_LEVEL: onLogLine ? 'debug' : 'silent',
    ...options.env,
  });
  const log = createLogger(config, onLogLine ? { write: onLogLine } : undefined);
  const engine = createFakeEngine();
  const app = await createAppContext(config, log, {
    ...{ database, engine, passwordCost },
    ...(push ? { push } : {}),
  });
  const server = await createServer(app);
  await server.ready();
  return {
    app,
    server,
    engine,
    database,
    outboxFolder: path.join(config.dataDir, 'outbox'),
    async close() {
      await server.close();
      await app.close();
    },
  };
}
