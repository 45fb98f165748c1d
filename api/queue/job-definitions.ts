import { z } from 'zod';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';

/** A kind of job: its payload, its retries and its schedule. */
export interface JobDefinition {
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

/**
 * A mail that nothing sends again, such as the warning of a taken account. Retried for about two days, so that it
 * outlasts a mail server that is away.
 */
const MAIL = { retryLimit: 60, retryDelaySeconds: 5, retryDelayMaxSeconds: 3600, expireSeconds: 2 * 60 };

/** Every background job by name. A job may run twice, for example after a crash, so its handler must be idempotent. */
export const JOBS = {
  /** By an engine that works in this process, so few run at a time. */
  'run-generation': RUN_GENERATION,
  /** By an engine elsewhere. The worker only waits, so many run at a time. */
  'follow-generation': RUN_GENERATION,
  /** Waits for no render: somebody looks at the video now. */
  'make-video-copy': {
    payload: z.object({ resultId: z.uuid() }),
    // More often than a copy is begun, and with pauses longer than its order lasts while no storage works, so that the
    // last run gives it up.
    retryLimit: 65,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 30,
    expireSeconds: 10 * 60,
    keepSeconds: 24 * 3600,
  },
  'check-garment': {
    payload: z.object({ resultId: z.uuid() }),
    // The pauses are longer than a comparison waits for a storage, so that the last run ends it.
    retryLimit: 75,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 30,
    expireSeconds: 10 * 60,
    keepSeconds: 24 * 3600,
  },
  /** The house's own order: whether a tool of an engine works. */
  'probe-engine': {
    payload: z.object({ engine: z.string(), kind: z.enum(GENERATION_KINDS) }),
    retryLimit: 20,
    retryDelaySeconds: 1,
    expireSeconds: 45 * 60,
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
  /** Sent when something of an account with a batch has changed. By the schedule for all, whose pauses may have passed. */
  'advance-batches': {
    payload: z.object({ accountId: z.int().optional() }),
    retryLimit: 3,
    retryDelaySeconds: 1,
    expireSeconds: 5 * 60,
    keepSeconds: 3600,
    cron: '* * * * *',
  },
  'make-pack': {
    payload: z.object({ packId: z.uuid() }),
    // More often than a pack is begun, and with pauses longer than a pack waits for a storage, so that the last run
    // gives it up.
    retryLimit: 75,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 60,
    // A thousand pictures and videos that are adapted one after another.
    expireSeconds: 2 * 3600,
    keepSeconds: 24 * 3600,
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
    // The law requires a receipt to reach its buyer.
    ...MAIL,
    keepSeconds: 7 * 24 * 3600,
  },
  'send-deletion-mail': {
    payload: z.object({ accountId: z.int() }),
    ...MAIL,
    keepSeconds: 24 * 3600,
  },
  'send-email-changed-mail': {
    // `formerEmail` is needed because the account has another address by now.
    payload: z.object({ accountId: z.int(), formerEmail: z.string() }),
    ...MAIL,
    keepSeconds: 24 * 3600,
  },
  'send-password-changed-mail': {
    // Each change is told of.
    payload: z.object({ accountId: z.int(), changedAt: z.iso.datetime() }),
    ...MAIL,
    keepSeconds: 24 * 3600,
  },
  'send-telegram-linked-mail': {
    // A chat that was parted and linked again is another link.
    payload: z.object({ accountId: z.int(), linkedAt: z.iso.datetime() }),
    ...MAIL,
    keepSeconds: 24 * 3600,
  },
  /** Tells the operator. */
  'send-outage-mail': {
    payload: z.object({ outageId: z.uuid(), event: z.enum(['opened', 'closed']) }),
    ...MAIL,
    keepSeconds: 24 * 3600,
  },
  /** Tells the operator of urgent complaints. */
  'send-report-mail': {
    payload: z.object({}),
    ...MAIL,
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
  /** Handled by the bot: that a batch has ended, or pauses for stars. */
  'tell-telegram-batch': {
    payload: z.object({ batchId: z.uuid(), chatId: z.string().regex(/^\d+$/), occasion: z.string() }),
    retryLimit: 30,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    expireSeconds: 2 * 60,
    keepSeconds: 24 * 3600,
  },
  /** Handled by the bot: results of a batch as albums, and a ZIP. */
  'send-telegram-batch': {
    // `causeKey`: nothing is sent twice for one cause.
    payload: z.object({
      batchId: z.uuid(),
      chatId: z.string().regex(/^\d+$/),
      generationIds: z.array(z.uuid()),
      causeKey: z.string(),
    }),
    retryLimit: 30,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    // Dozens of albums over a slow connection. What was sent is not sent again.
    expireSeconds: 60 * 60,
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
    // `stars`: those of the bot that moved. `takenGift`: sign-up stars of the bot that were taken back.
    // `endedGenerations`: those of the bot that gave way to one of the site.
    payload: z.object({
      accountId: z.int(),
      chatId: z.string().regex(/^\d+$/),
      stars: z.int().default(0),
      takenGift: z.int().default(0),
      endedGenerations: z.int().default(0),
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

/** Whether there is such a job and somebody sends it. Those of a schedule come by themselves. */
export function isSentJob(name: string): name is JobName {
  return Object.hasOwn(JOBS, name) && !('cron' in JOBS[name as JobName]);
}
