import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { createAppContext } from '#api/app-context.ts';
import { type Catalogue, loadCatalogue } from '#api/catalogue/load-catalogue.ts';
import { readConfig } from '#api/config/config.ts';
import { createServer } from '#api/server.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { PasswordCost } from '#api/services/core/process-state.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { borrowTestDatabase, type TestDatabase } from './database.ts';
import { createFakeEngine, type FakeEngine } from './fake-engine.ts';

export interface TestAppOptions {
  /** Environment variables that replace the usual settings of a test. */
  env?: Record<string, string>;
  /** Called with each line of the log. Without it the log is silent. */
  onLogLine?: (line: string) => void;
  /** Without it nothing is compared. */
  garmentChecker?: GarmentChecker;
  /** Replaces the sender that allows only the real push services. */
  push?: PushSender;
  /** The lowest by default, because hashing is slow on purpose. */
  passwordCost?: PasswordCost;
  /** An empty one by default. The app closes it. */
  database?: TestDatabase;
}

const LEAST_PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let shippedCatalogue: Promise<Catalogue> | undefined;

/** The apps of a worker share it, because reading it starts a process. Nothing changes it. */
function loadShippedCatalogue(): Promise<Catalogue> {
  shippedCatalogue ??= loadCatalogue(readConfig({ NODE_ENV: 'test' }).catalogueDir);
  return shippedCatalogue;
}

export interface TestApp {
  app: AppContext;
  server: FastifyInstance;
  engine: FakeEngine;
  database: TestDatabase;
  /** The folder of sent mails. */
  outboxFolder: string;
  close(): Promise<void>;
}

/** The whole server with its own database, files and outbox. Only the engine is a fake. Close it in afterAll. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { onLogLine, garmentChecker, push, passwordCost = LEAST_PASSWORD_COST } = options;
  const database = options.database ?? (await borrowTestDatabase());
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    LOG_LEVEL: onLogLine ? 'debug' : 'silent',
    GARMENT_CHECK: 'off',
    ...options.env,
  });
  const log = createLogger(config, onLogLine ? { write: onLogLine } : undefined);
  const engine = createFakeEngine();
  const app = await createAppContext(config, log, {
    database,
    engine,
    passwordCost,
    catalogue: await loadShippedCatalogue(),
    ...(garmentChecker ? { garmentChecker } : {}),
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
