import { setTimeout as wait } from 'node:timers/promises';
import { type Job, PgBoss, type Db as PgBossDatabase, type Queue as QueueOptions, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '#api/config/config.ts';
import { COMMAND_CONNECTIONS, type Connections } from '#api/config/connections.ts';
import { type DatabaseHandle, SERVER_POOL, SERVING_QUERY_TIMEOUT_MS, type Tx } from '#api/database/database.ts';
import { ListeningPool } from '#api/database/embedded/listening-pool.ts';
import { createPgBossDatabase } from '#api/database/embedded/pg-boss-database.ts';
import { markConnectionError } from '#api/database/pool.ts';
import { prepareSession } from '#api/database/session.ts';
import {
  findRequest,
  type RequestContext,
  runInRequest,
  runInSpan,
  type Tracing,
} from '#api/platform/request-context.ts';
import { JOBS, type JobDefinition, type JobName, type JobPayload } from './job-definitions.ts';
import { listDueJobs, measureQueue, type QueueMeasure, resumeAbandonedJobs } from './pg-boss-internals.ts';
import { ProcessStopError } from './process-stop-error.ts';

/** `signal` aborts when the process stops, with a ProcessStopError, and when the job has expired or another worker has it. */
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
  /** Handles the jobs of one name, `concurrency` at a time. A job whose handler throws is retried. */
  work<N extends JobName>(name: N, options: { concurrency: number }, handler: JobHandler<N>): Promise<void>;
  /** Resolves when the queue's tables can be queried. Throws otherwise. */
  check(): Promise<void>;
  /** What waits, and when a worker was last seen. */
  measure(): Promise<QueueMeasure>;
  /** Takes no more jobs, aborts the running ones and waits for their handlers. The next start runs them again. */
  stop(): Promise<void>;
}

export const QUEUE_SCHEMA = 'pgboss';
/** A worker that is silent for longer counts as dead. 10 is the minimum of pg-boss. */
const HEARTBEAT_SECONDS = 10;
/** How often the jobs of dead workers are searched. The embedded database has only one worker. */
const SUPERVISE_SECONDS = { embedded: 15, server: 3 };
/** How often the scheduler hands over what is due. Its finest schedule is by the minute. */
const CRON_SECONDS = 15;
/** How often a job is searched that NOTIFY did not tell of: a retry, one with a pause, or one of a broken connection. */
const LOOK_MS = 1_000;
const WORK_OPTIONS = {
  // Each worker would ask for itself. One look asks for all of them.
  pollingIntervalSeconds: 3600,
  notifyPollingIntervalSeconds: 3600,
} as const;
const RETRY_DELAY_MAX_SECONDS = 60;
/** Leaves time to close the database before the process's own deadline. */
const STOP_TIMEOUT_MS = 5000;
/**
 * What pg-boss itself sets where it makes and changes its tables. Longer than for requests, because its index builds
 * wait for older transactions. Shorter than the client waits, so that no statement that was given up waits on.
 */
const LOCK_TIMEOUT_MS = 30_000;

type QueueConfig = Pick<Config, 'databaseUrl' | 'roles'> & Partial<Pick<Config, 'connections'>>;

/** Opens the queue in `database`. Only a process with the worker role supervises it and runs the schedule. */
export async function openQueue(
  database: DatabaseHandle,
  config: QueueConfig,
  log: Pick<Logger, 'error' | 'warn'>,
  tracing: Tracing | null = null,
): Promise<Queue> {
  const isWorker = config.roles.includes('worker');
  const boss = createBoss(database, config);
  boss.on('error', (error) => log.error({ err: restoreError(error) }, 'the queue reports an error'));
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue warns'));
  await boss.start();
  for (const name of Object.keys(JOBS) as JobName[]) await declareJob(boss, name);
  if (isWorker) await declareSchedules(boss);
  if (database.isEmbedded) await resumeAbandonedJobs(database.pool, QUEUE_SCHEMA);
  // Shows at once that a worker is here, as readiness asks.
  if (isWorker) boss.supervise().catch((error: Error) => boss.emit('error', error));

  const stopping = new AbortController();
  const workers = new Map<string, string[]>();
  const lookForJobs = async () => {
    for (const name of await listDueJobs(database.pool, QUEUE_SCHEMA, [...workers.keys()])) {
      for (const workerId of workers.get(name) ?? []) boss.notifyWorker(workerId);
    }
  };
  return {
    async send(tx, name, payload, options) {
      const sent = { ...toSendOptions(options), db: inTransaction(tx) };
      await runInSpan(tracing, `send ${name}`, {}, () => boss.send(name, withOrigin(payload), sent));
    },

    async work(name, { concurrency }, handler) {
      if (workers.size === 0) void keepLooking(stopping.signal, lookForJobs, log);
      const workerIds = workers.get(name) ?? [];
      workers.set(name, workerIds);
      for (let index = 0; index < concurrency; index++) {
        const run = async (job: Job<unknown>) => {
          try {
            const payload = JOBS[name].payload.parse(job.data) as JobPayload<typeof name>;
            await handler(payload, AbortSignal.any([job.signal, stopping.signal]));
          } catch (error) {
            // Logged, because the queue stores the error only in its own table, where nobody looks.
            if (!stopping.signal.aborted) {
              const { id: jobId, retryCount } = job;
              const { retryLimit } = JOBS[name];
              // A failure that will be retried, or the last one.
              const level = retryCount < retryLimit ? 'warn' : 'error';
              log[level]({ err: error, job: name, jobId, retryCount, retryLimit }, 'a job failed');
            }
            throw error;
          } finally {
            // Otherwise the worker would wait for its next interval before it asks for a job.
            boss.notifyWorker(workerId);
          }
        };
        const workerId: string = await boss.work(name, WORK_OPTIONS, async ([job]) => {
          if (job) await runInRequest(readOrigin(job), () => runInSpan(tracing, `job ${name}`, {}, () => run(job)));
        });
        workerIds.push(workerId);
      }
    },

    async check() {
      await boss.isInstalled();
    },

    measure: () => measureQueue(database.pool, QUEUE_SCHEMA),

    async stop() {
      stopping.abort(new ProcessStopError());
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

function createBoss(
  database: DatabaseHandle,
  { databaseUrl, roles, connections = COMMAND_CONNECTIONS }: QueueConfig,
): PgBoss {
  const isWorker = roles.includes('worker');
  const superviseSeconds = database.isEmbedded ? SUPERVISE_SECONDS.embedded : SUPERVISE_SECONDS.server;
  return new PgBoss({
    ...(database.pool instanceof ListeningPool
      ? { db: createPgBossDatabase(database.pool), backend: 'pglite' as const }
      : { connectionString: databaseUrl, ...describeConnections(connections) }),
    schema: QUEUE_SCHEMA,
    // Listening takes a connection, and only who works on jobs has to be woken.
    useListenNotify: isWorker || roles.includes('bot'),
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    cronWorkerIntervalSeconds: CRON_SECONDS,
    // For jobs that wait for others, which there are none of.
    flowIntervalSeconds: 24 * 3600,
  });
}

/** Looks every LOOK_MS, first after one. Stops without waiting for a look that the database does not answer. */
async function keepLooking(stopped: AbortSignal, look: () => Promise<void>, log: Pick<Logger, 'error'>): Promise<void> {
  for (;;) {
    await wait(LOOK_MS, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    await look().catch((err: unknown) => {
      if (!stopped.aborted) log.error({ err }, 'due jobs cannot be looked for');
    });
  }
}

/** pg-boss hands all of this to its pool, and to the connection that listens, which has no use for `onConnect`. */
export function describeConnections({ queue, name }: Pick<Connections, 'queue' | 'name'>) {
  return {
    max: queue,
    application_name: name,
    keepAlive: SERVER_POOL.keepAlive,
    query_timeout: SERVING_QUERY_TIMEOUT_MS,
    onConnect: prepareSession({ lock_timeout: LOCK_TIMEOUT_MS }),
  };
}

/** What the system and the pool say when there is no connection. */
const NO_CONNECTION = /^E[A-Z_]+$|^timeout exceeded/;

/**
 * pg-boss reports copies of errors that are no errors any more. The log tells an outage by the error. All of pg-boss's
 * connections lead to the database.
 */
function restoreError(reported: Error & { code?: unknown }): Error {
  const error: typeof reported = reported instanceof Error ? reported : Object.assign(new Error(), reported);
  return NO_CONNECTION.test(String(error.code ?? error.message)) ? markConnectionError(error) : error;
}

/** The request that a job was sent in is kept beside its payload. The names of payloads differ from these. */
const withRequest = z.object({ origin: z.object({ requestId: z.string(), traceparent: z.string().optional() }) });
const aboutGeneration = z.object({ generationId: z.string() });

function withOrigin(payload: object): object {
  const { requestId, traceparent } = findRequest() ?? {};
  return requestId ? { ...payload, origin: { requestId, traceparent } } : payload;
}

/** A job that no request has sent, such as a scheduled one, is a request of its own. */
function readOrigin({ id, data }: { id: string; data: unknown }): RequestContext {
  return {
    ...(withRequest.safeParse(data).data?.origin ?? { requestId: id }),
    generationId: aboutGeneration.safeParse(data).data?.generationId,
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
  // pg-boss loads a queue when a job is first sent to it. Inside a transaction on the one embedded connection it would
  // wait for ever, so a job is sent to nowhere now.
  await boss.send(name, {}, { db: { executeSql: async () => ({ rows: [{ id: '' }] }) } });
}

async function declareSchedules(boss: PgBoss): Promise<void> {
  for (const [name, job] of Object.entries<JobDefinition>(JOBS)) {
    if (job.cron) await boss.schedule(name, job.cron, {}, { tz: 'UTC' });
  }
}
