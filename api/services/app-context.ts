import type { Api } from 'grammy';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';
import type { EngineRegistry } from '#api/adapters/generation-engines/generation-engine.ts';
import type { Mailer } from '#api/adapters/mail/mailer.ts';
import type { PaymentRegistry } from '#api/adapters/payments/payment-provider.ts';
import type { SandboxConsole } from '#api/adapters/payments/sandbox/sandbox-provider.ts';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import type { VideoEncoder } from '#api/adapters/video-encoder/video-encoder.ts';
import type { Catalogue } from '#api/catalogue/load-catalogue.ts';
import type { Config } from '#api/config/config.ts';
import type { AccountEvents } from '#api/database/account-events.ts';
import type { Db } from '#api/database/database.ts';
import type { Leadership } from '#api/database/leadership.ts';
import type { Tracing } from '#api/platform/request-context.ts';
import type { Queue } from '#api/queue/queue.ts';
import type { Metrics } from '#api/telemetry/metrics.ts';
import type { ProcessState } from './core/process-state.ts';

/** Everything a service may need. Created once per process. */
export interface AppContext {
  config: Config;
  log: Logger;
  db: Db;
  /** For the few statements with a name of their own: pages cause them all the time, and each connection plans them once. */
  pool: Pick<pg.Pool, 'query'>;
  queue: Queue;
  storage: ObjectStorage;
  mailer: Mailer;
  push: PushSender;
  accountEvents: AccountEvents;
  /** Which of several processes runs the bot. */
  leadership: Leadership;
  engines: EngineRegistry;
  videoEncoder: VideoEncoder;
  /** Null: results are not compared with the garments of their photos. */
  garmentChecker: GarmentChecker | null;
  catalogue: Catalogue;
  payments: PaymentRegistry;
  /** Telegram's Bot API; null without a token. */
  telegram: Api | null;
  /** The buyers' side of the sandbox, for its payment page. Null with real providers. */
  sandbox: SandboxConsole | null;
  state: ProcessState;
  metrics: Metrics;
  /** Null without a collector. */
  tracing: Tracing | null;
  /** Closes everything without losing work: the work first, the database last. */
  close(): Promise<void>;
}

/** For a service that needs no more than the database. */
export type WithDb = Pick<AppContext, 'db'>;
