import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { describeRetryTime } from '#shared/rules/waiting-time.ts';
import type { Limit } from './limit-table.ts';

/** Whoever has an IPv6 address has at least this network of them. */
const IPV6_SUBNET = 64;
/** What whoever rents a server or opens a tunnel often has. */
export const IPV6_SITE = 48;

/** With a transaction as `db`, a rollback undoes the count. */
export interface Counting {
  db: Db | Tx;
  config: { sessionSecret: string };
}

/**
 * Counts an attempt before it is made, so that parallel ones cannot exceed the limit. `subject`: what is counted, such
 * as an address. Returns what is counted with it. Throws AppError too_many_requests with the seconds to wait.
 */
export async function consumeLimit(app: Counting, limit: Limit, subject: string): Promise<number> {
  const { limiter, key } = openLimit(app, limit, subject);
  return consume(limiter, limit, key);
}

/** Counts an attempt of a subject. Throws AppError too_many_requests with the seconds to wait. */
export type Count = (subject: string) => Promise<number>;

/**
 * Counts as `consumeLimit` does, and refuses in memory what this process has seen to be past the limit: a flood costs no
 * statement. Only for counts that are neither cleared nor given back, because another process would not notice.
 */
export function createSharedCount(app: Counting, limit: Limit): Count {
  const limiter = createLimiter(app.db, limit, { inMemoryBlockOnConsumed: limit.max + 1 });
  return (subject) => consume(limiter, limit, hashSubject(app.config, limit, subject));
}

/** Counts in this process. A subject takes half a kilobyte until its window ends. */
export function createProcessCount(limit: Limit): Count {
  const limiter = new RateLimiterMemory({ points: limit.max, duration: limit.seconds });
  return (subject) => consume(limiter, limit, subject);
}

/** Counts an attempt. Returns false, and throws no AppError, when the limit is used up. */
export async function tryToConsume(app: Counting, limit: Limit, subject: string): Promise<boolean> {
  try {
    await consumeLimit(app, limit, subject);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false;
    throw error;
  }
}

/**
 * Checks a secret. Only wrong ones stay counted: a check that fails is taken back, and a right one clears the count, or
 * takes back its own attempt with `returnToLimit`. `check` gets the count and resolves to whether the secret is right.
 * Throws AppError too_many_requests with the seconds to wait, and what `check` throws.
 */
export async function checkWithinLimit(
  app: Counting,
  limit: Limit,
  subject: string,
  check: (count: number) => Promise<boolean>,
  settleRight: typeof forgetLimit = forgetLimit,
): Promise<boolean> {
  const count = await consumeLimit(app, limit, subject);
  try {
    const isRight = await check(count);
    if (isRight) await settleRight(app, limit, subject);
    return isRight;
  } catch (error) {
    // The failure that led here is the one to report. A count that stays ends with its window.
    await returnToLimit(app, limit, subject).catch(() => undefined);
    throw error;
  }
}

/** Takes an attempt back that shall not count, such as one that a fault has ended. Nothing after its window's end. */
export async function returnToLimit({ db, config }: Counting, limit: Limit, subject: string): Promise<void> {
  await db.limitCount.updateMany({
    where: { key: hashSubject(config, limit, subject), points: { gt: 0 }, expire: { gt: Date.now() } },
    data: { points: { decrement: 1 } },
  });
}

/** Refuses every attempt of a subject for this time. After it, the count begins anew. */
export async function blockLimit(app: Counting, limit: Limit, subject: string, seconds: number): Promise<void> {
  const { limiter, key } = openLimit(app, limit, subject);
  await limiter.block(key, seconds);
}

/** Clears what is counted for a subject, after a proof that the attempts were its owner's. */
export async function forgetLimit(app: Counting, limit: Limit, subject: string): Promise<void> {
  const { limiter, key } = openLimit(app, limit, subject);
  await limiter.delete(key);
}

export async function removeOldLimitCounts({ db }: { db: Db }): Promise<number> {
  const { count } = await db.limitCount.deleteMany({ where: { expire: { lte: Date.now() } } });
  return count;
}

/** The address or network that counts as one caller: an IPv4 address, and an IPv6 network of /64 unless set. */
export function toNetwork(address: string, ipv6Subnet = IPV6_SUBNET): string {
  // A proxy may have passed on what is no address.
  if (!isIPv6(address)) return address.toLowerCase();
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/${ipv6Subnet}`).toString();
}

function openLimit({ db, config }: Counting, limit: Limit, subject: string) {
  return { limiter: createLimiter(db, limit), key: hashSubject(config, limit, subject) };
}

function createLimiter(db: Db | Tx, limit: Limit, options: { inMemoryBlockOnConsumed?: number } = {}) {
  return new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => ({
        rows: await db.$queryRawUnsafe(text, ...values),
      }),
    },
    storeType: 'client',
    tableName: 'limit_counts',
    tableCreated: true,
    keyPrefix: '',
    points: limit.max,
    duration: limit.seconds,
    // The nightly clean-up does it.
    clearExpiredByTimeout: false,
    ...options,
  });
}

async function consume(limiter: RateLimiterAbstract, limit: Limit, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw refuse(limit, toSeconds(error));
  }
}

function hashSubject({ sessionSecret }: Counting['config'], { name }: Limit, subject: string): string {
  return createHmac('sha256', sessionSecret).update(`limit:${name}:${subject}`).digest('base64url');
}

function refuse({ tell }: Limit, retryAfter: number): AppError {
  return new AppError('too_many_requests', {
    retryAfter,
    ...(tell ? { message: tell(describeRetryTime(retryAfter)) } : {}),
  });
}

function toSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
