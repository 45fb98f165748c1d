import { PgBoss, type Db as PgBossDatabase, type Queue as QueueOptions, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { z } from 'zod';
import { createPgBossDatabase } from './adapters/embedded-postgres/pg-boss-database.ts';
import { captureInsert, type PreparedInsert, resumeAbandonedJobs } from './adapters/pg-boss/pg-boss-internals.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle, Tx } from './db.ts';

export type { PreparedInsert };

/** A kind of job: its payload, its retries and its schedule. */
interface JobDefinition {
  payload: z.ZodType<object>;
  retryLimit: number;
  /** Pause before the first retry. It grows with each retry. */
  retryDelaySeconds: number;
  /** Longest pause before a retry. A minute by default. */
  retryDelayMaxSeconds?: number;
  /** A run that takes longer is aborted and retried. */
  expireSeconds: number;
  /** How long a finished job is kept in the table. */
  keepSeconds: number;
  /** A cron expression, in UTC. */
  cron?: string;
}

const RUN_GENERATION = {
  payload: z.object({ generationId: z.uuid() }),
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireSeconds: 45 * 60,
  keepSeconds: 7 * 24 * 3600,
} satisfies JobDefinition;

/** A message to a chat that is soon no news any more. */
const CHAT_NEWS = { retryLimit: 10, retryDelaySeconds: 2, expireSeconds: 60, keepSeconds: 3600 };

/** Every background job by name. A job may run twice, for example after a crash, so its handler must be idempotent. */
const JOBS = {
  /** By an engine that works in this process, so few run at a time. */
  'run-generation': RUN_GENERATION,
  /** By an engine elsewhere. The worker only waits, so many run at a time. */
  'follow-generation': RUN_GENERATION,
  'check-garment': {
    payload: z.object({ resultId: z.uuid() }),
    // More often than a comparison is begun, so that the last run ends it.
    retryLimit: 5,
    retryDelaySeconds: 5,
    expireSeconds: 10 * 60,
    keepSeconds: 24 * 3600,
  },
  watchdog: {
    payload: z.object({}),
    retryLimit: 0,
    retryDelaySeconds: 1,
    expireSeconds: 5 * 60,
    keepSeconds: 3600,
    cron: '* * * * *',
  },
  'send-sandbox-notification': {
    payload: z.object({
      type: z.literal('notification'),
      event: z.enum(['payment.succeeded', 'payment.canceled', 'refund.succeeded']),
      object: z.object({ id: z.uuid(), payment_id: z.uuid().optional() }),
    }),
    retryLimit: 100,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    keepSeconds: 24 * 3600,
  },
  'settle-payments': {
    payload: z.object({}),
    retryLimit: 0,
    retryDelaySeconds: 1,
    expireSeconds: 10 * 60,
    keepSeconds: 3600,
    cron: '*/2 * * * *',
  },
  'send-receipt': {
    payload: z.union([z.object({ paymentId: z.uuid() }), z.object({ refundId: z.uuid() })]),
    // Retried for about two days, because the law requires a receipt to reach its buyer.
    retryLimit: 60,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 3600,
    expireSeconds: 2 * 60,
    keepSeconds: 7 * 24 * 3600,
  },
  'send-deletion-mail': {
    payload: z.object({ accountId: z.int() }),
    retryLimit: 30,
    retryDelaySeconds: 5,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  'send-email-changed-mail': {
    // `formerEmail` is needed because the account has another address by now.
    payload: z.object({ accountId: z.int(), formerEmail: z.string() }),
    retryLimit: 30,
    retryDelaySeconds: 5,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Tells the operator. */
  'send-outage-mail': {
    payload: z.object({ outageId: z.uuid(), event: z.enum(['opened', 'closed']) }),
    retryLimit: 30,
    retryDelaySeconds: 5,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Tells the operator of urgent complaints. */
  'send-report-mail': {
    payload: z.object({}),
    retryLimit: 30,
    retryDelaySeconds: 5,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Handled by the bot. */
  'send-telegram-result': {
    // `askedBy`: identifies a person's request to send the result again. Each request is served once.
    payload: z.object({ generationId: z.uuid(), chatId: z.string().regex(/^\d+$/), askedBy: z.string().optional() }),
    retryLimit: 30,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    // 50 MB over a slow connection.
    expireSeconds: 15 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Handled by the bot. */
  'tell-telegram-drift': {
    payload: z.object({ generationId: z.uuid(), chatId: z.string().regex(/^\d+$/) }),
    retryLimit: 30,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Handled by the bot. */
  'tell-telegram-linked': {
    // `takenGift`: sign-up stars of the bot that were taken back.
    payload: z.object({
      accountId: z.int(),
      chatId: z.string().regex(/^\d+$/),
      takenGift: z.int().default(0),
    }),
    ...CHAT_NEWS,
  },
  /** Handled by the bot. */
  'tell-telegram-purchase': {
    payload: z.object({ paymentId: z.uuid() }),
    ...CHAT_NEWS,
  },
  /** Handled by the bot. */
  'tell-telegram-report': {
    payload: z.object({ reportId: z.uuid() }),
    ...CHAT_NEWS,
  },
  /** Handled by the bot. */
  'return-star-charge': {
    payload: z.object({ telegramUserId: z.int(), chargeId: z.string(), xtr: z.int() }),
    // Retried for about four days. It is a person's money, and nothing else returns it.
    retryLimit: 100,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 3600,
    expireSeconds: 2 * 60,
    keepSeconds: 7 * 24 * 3600,
  },
  'reconcile-star-sales': {
    payload: z.object({}),
    retryLimit: 0,
    retryDelaySeconds: 1,
    expireSeconds: 5 * 60,
    keepSeconds: 3600,
    cron: '*/10 * * * *',
  },
  'sweep-files': {
    payload: z.object({}),
    retryLimit: 2,
    retryDelaySeconds: 60,
    expireSeconds: 3 * 3600,
    keepSeconds: 24 * 3600,
    cron: '41 1 * * *',
  },
  'send-notice': {
    payload: z.object({ noticeId: z.uuid() }),
    // With pauses that grow to an hour, the retries last as long as the notice is worth sending.
    retryLimit: 40,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 3600,
    expireSeconds: 60,
    keepSeconds: 7 * 24 * 3600,
  },
  'clean-up': {
    payload: z.object({}),
    retryLimit: 2,
    retryDelaySeconds: 30,
    expireSeconds: 30 * 60,
    keepSeconds: 24 * 3600,
    cron: '17 * * * *',
  },
} as const satisfies Record<string, JobDefinition>;

export type JobName = keyof typeof JOBS;
export type JobPayload<N extends JobName> = z.infer<(typeof JOBS)[N]['payload']>;
/** `signal` aborts when the process stops or another worker has taken over the job. */
export type JobHandler<N extends JobName> = (payload: JobPayload<N>, signal: AbortSignal) => Promise<void>;

export interface SendJobOptions {
  /** Higher runs earlier. 0 by default. */
  priority?: number;
  /** Earliest start, in seconds from now. */
  delaySeconds?: number;
}

export interface Queue {
  /** Sends a job in the caller's transaction. After a rollback the job does not exist. */
  send<N extends JobName>(tx: Tx, name: N, payload: JobPayload<N>, options?: SendJobOptions): Promise<void>;
  /** The statement of `send`, for a caller who makes it part of a larger statement. */
  prepareInsert<N extends JobName>(name: N, payload: JobPayload<N>, options?: SendJobOptions): Promise<PreparedInsert>;
  /** Handles the jobs of one name, `concurrency` at a time. A job whose handler throws is retried. */
  work<N extends JobName>(name: N, options: { concurrency: number }, handler: JobHandler<N>): Promise<void>;
  /** Resolves when the queue's tables can be queried. Throws otherwise. */
  check(): Promise<void>;
  /** Takes no more jobs, aborts the running ones and waits for their handlers. The next start runs them again. */
  stop(): Promise<void>;
}

const SCHEMA = 'pgboss';
/** A worker that is silent for longer counts as dead. 10 is the minimum of pg-boss. */
const HEARTBEAT_SECONDS = 10;
/** How often the jobs of dead workers are searched. */
const SUPERVISE_SECONDS = 2;
/** NOTIFY wakes a worker at once. Polling only finds retries. */
const POLL_SECONDS = 1;
const WORK_OPTIONS = {
  pollingIntervalSeconds: POLL_SECONDS,
  notifyPollingIntervalSeconds: POLL_SECONDS,
  // Tells a failure that will be retried from the last one.
  includeMetadata: true,
} as const;
const RETRY_DELAY_MAX_SECONDS = 60;
/** Leaves time to close the database before the process's own deadline. */
const STOP_TIMEOUT_MS = 5000;

/** Opens the queue in `database`. Only a process with the worker role supervises it and runs the schedule. */
export async function openQueue(
  database: DatabaseHandle,
  config: Pick<Config, 'databaseUrl' | 'roles'>,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<Queue> {
  const isWorker = config.roles.includes('worker');
  const boss = new PgBoss({
    ...(database.isEmbedded
      ? { db: createPgBossDatabase(database.pool), backend: 'pglite' as const }
      : { connectionString: config.databaseUrl, max: 4, options: '-c TimeZone=UTC' }),
    schema: SCHEMA,
    useListenNotify: true,
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue reports an error'));
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue warns'));
  await boss.start();
  for (const name of Object.keys(JOBS) as JobName[]) await declareJob(boss, name);
  if (isWorker) await declareSchedules(boss);
  if (database.isEmbedded) await resumeAbandonedJobs(database.pool, SCHEMA);

  const stopping = new AbortController();
  return {
    async send(tx, name, payload, options) {
      await boss.send(name, payload, { ...toSendOptions(options), db: inTransaction(tx) });
    },

    async prepareInsert(name, payload, options) {
      return captureInsert(boss, name, payload, toSendOptions(options));
    },

    async work(name, { concurrency }, handler) {
      for (let index = 0; index < concurrency; index++) {
        const workerId: string = await boss.work(name, WORK_OPTIONS, async ([job]) => {
          if (!job) return;
          try {
            const payload = JOBS[name].payload.parse(job.data) as JobPayload<typeof name>;
            await handler(payload, AbortSignal.any([job.signal, stopping.signal]));
          } catch (error) {
            // Logged, because the queue stores the error only in its own table, where nobody looks.
            if (!stopping.signal.aborted) {
              const { id: jobId, retryCount, retryLimit } = job;
              const level = retryCount < retryLimit ? 'warn' : 'error';
              log[level]({ err: error, job: name, jobId, retryCount, retryLimit }, 'a job failed');
            }
            throw error;
          } finally {
            // Otherwise the worker would wait for its next interval before it asks for a job.
            boss.notifyWorker(workerId);
          }
        });
      }
    },

    async check() {
      await boss.isInstalled();
    },

    async stop() {
      stopping.abort(new Error('the process stops'));
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

function toSendOptions({ priority, delaySeconds }: SendJobOptions = {}): SendOptions {
  return { priority: priority ?? 0, ...(delaySeconds ? { startAfter: delaySeconds } : {}) };
}

function inTransaction(tx: Tx): PgBossDatabase {
  return { executeSql: async (text, values = []) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }) };
}

async function declareJob(boss: PgBoss, name: JobName): Promise<void> {
  const job: JobDefinition = JOBS[name];
  const options: Omit<QueueOptions, 'name'> = {
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: job.retryDelayMaxSeconds ?? RETRY_DELAY_MAX_SECONDS,
    expireInSeconds: job.expireSeconds,
    deleteAfterSeconds: job.keepSeconds,
  };
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, options);
  // pg-boss loads a queue at its first use. Inside a transaction on the one embedded connection it would wait for ever.
  await captureInsert(boss, name, {}, {});
}

async function declareSchedules(boss: PgBoss): Promise<void> {
  for (const [name, job] of Object.entries<JobDefinition>(JOBS)) {
    if (job.cron) await boss.schedule(name, job.cron, {}, { tz: 'UTC' });
  }
}
