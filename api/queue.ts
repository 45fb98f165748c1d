import { PgBoss, type Db as PgBossDatabase, type Queue as QueueOptions, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { z } from 'zod';
import { createPgBossDatabase } from './adapters/embedded-postgres/pg-boss-database.ts';
import { captureInsert, type PreparedInsert, takeUpAbandonedJobs } from './adapters/pg-boss/pg-boss-internals.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle, Tx } from './db.ts';

export type { PreparedInsert };

/** What a job is: the payload that is sent, how it is run again, and when it runs by itself. */
interface JobDefinition {
  payload: z.ZodType<object>;
  retryLimit: number;
  /** First pause before a retry; it grows with each. */
  retryDelaySeconds: number;
  /** The longest pause before a retry; a minute when not given. */
  retryDelayMaxSeconds?: number;
  /** A run that takes longer is given up and tried again. */
  expireSeconds: number;
  /** How long a finished job stays in the table. */
  keepSeconds: number;
  /** A cron expression, in UTC. */
  cron?: string;
}

/** Every background job, by name. A job may run twice, after a crash for instance, and its handler must bear that. */
export const JOBS = {
  'run-generation': {
    payload: z.object({ generationId: z.uuid() }),
    retryLimit: 20,
    retryDelaySeconds: 1,
    expireSeconds: 45 * 60,
    keepSeconds: 7 * 24 * 3600,
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
    // About two days: the law wants a receipt to reach its buyer.
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
    // The account has another address by now.
    payload: z.object({ accountId: z.int(), formerEmail: z.string() }),
    retryLimit: 30,
    retryDelaySeconds: 5,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Worked on by the bot. */
  'send-telegram-result': {
    // `askedBy`: the person wants it once more; names the request, which is served once.
    payload: z.object({ generationId: z.uuid(), chatId: z.string().regex(/^\d+$/), askedBy: z.string().optional() }),
    retryLimit: 30,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    // 50 MB over a slow line.
    expireSeconds: 15 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Worked on by the bot. */
  'tell-telegram-linked': {
    // `takenGift`: the sign-up stars of the bot that were taken back.
    payload: z.object({
      accountId: z.int(),
      chatId: z.string().regex(/^\d+$/),
      takenGift: z.int().default(0),
    }),
    retryLimit: 10,
    retryDelaySeconds: 2,
    expireSeconds: 60,
    keepSeconds: 3600,
  },
  /** Worked on by the bot. */
  'tell-telegram-purchase': {
    payload: z.object({ paymentId: z.uuid() }),
    retryLimit: 10,
    retryDelaySeconds: 2,
    expireSeconds: 60,
    keepSeconds: 3600,
  },
  /** Worked on by the bot. */
  'return-star-charge': {
    payload: z.object({ telegramUserId: z.int(), chargeId: z.string(), xtr: z.int() }),
    // About four days: it is somebody's money, and nobody else will see to it.
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
    // With pauses that grow to an hour it lasts as long as the notice is worth sending.
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
/** `signal`: the run is not wanted any more, because the process stops or another worker has taken the job over. */
export type JobHandler<N extends JobName> = (payload: JobPayload<N>, signal: AbortSignal) => Promise<void>;

export interface SendJobOptions {
  /** Higher runs earlier; 0 when not given. */
  priority?: number;
  /** Not before so many seconds have passed. */
  delaySeconds?: number;
}

export interface Queue {
  /** Sends a job inside the transaction that makes it necessary: rolled back, the job never was. */
  send<N extends JobName>(tx: Tx, name: N, payload: JobPayload<N>, options?: SendJobOptions): Promise<void>;
  /** What `send` would run, for a caller who makes it a part of a larger statement. */
  prepareInsert<N extends JobName>(name: N, payload: JobPayload<N>, options?: SendJobOptions): Promise<PreparedInsert>;
  /** Attends to the jobs of a name, `concurrency` at a time. A handler that throws has its job tried again. */
  work<N extends JobName>(name: N, options: { concurrency: number }, handler: JobHandler<N>): Promise<void>;
  /** Resolves when the queue's tables can be asked; throws otherwise. */
  check(): Promise<void>;
  /** Takes no more jobs, aborts the running ones and waits for their handlers. They are run again at the next start. */
  stop(): Promise<void>;
}

const SCHEMA = 'pgboss';
/** A worker that has been silent for so long is taken for dead; 10 is pg-boss's least. */
const HEARTBEAT_SECONDS = 10;
/** How often jobs of dead workers are looked for. */
const SUPERVISE_SECONDS = 2;
/** NOTIFY wakes a worker at once; polling only finds retries. */
const POLL_SECONDS = 1;
const WORK_OPTIONS = {
  pollingIntervalSeconds: POLL_SECONDS,
  notifyPollingIntervalSeconds: POLL_SECONDS,
  // To tell a failure that is tried again from the last one.
  includeMetadata: true,
} as const;
const RETRY_DELAY_MAX_SECONDS = 60;
/** Leaves time to close the database before the process's own stop deadline. */
const STOP_TIMEOUT_MS = 5000;

/** Connects the queue that lives in `database`. Only a process with the worker role supervises it and keeps the cron. */
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
  if (database.isEmbedded) await takeUpAbandonedJobs(database.pool, SCHEMA);

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
            // The queue keeps the error in its own table, where nobody looks.
            if (!stopping.signal.aborted) {
              const { id: jobId, retryCount, retryLimit } = job;
              const level = retryCount < retryLimit ? 'warn' : 'error';
              log[level]({ err: error, job: name, jobId, retryCount, retryLimit }, 'a job failed');
            }
            throw error;
          } finally {
            // Otherwise the worker would sleep out its interval before it asks for the next job.
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
  // pg-boss reads a queue at its first use; inside a transaction on the one embedded connection that would wait for ever.
  await captureInsert(boss, name, {}, {});
}

async function declareSchedules(boss: PgBoss): Promise<void> {
  for (const [name, job] of Object.entries<JobDefinition>(JOBS)) {
    if (job.cron) await boss.schedule(name, job.cron, {}, { tz: 'UTC' });
  }
}
