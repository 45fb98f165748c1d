import { createHmac } from 'node:crypto';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

const MINUTE_MS = 60_000;
/** A check takes far less. One whose process has died counts no longer than this. */
const PENDING_MS = 20_000;

/** At most `max` attempts within a window that begins with the first one. All processes count together. */
export interface SharedLimit {
  /** Attempts with the same name and the same subject are counted together. */
  name: string;
  max: number;
  windowMs: number;
}

/** Wrong passwords per e-mail, with or without an account. A right one and a password reset clear them. */
export const SIGN_IN_LIMIT: SharedLimit = { name: 'sign-in', max: 10, windowMs: 15 * MINUTE_MS };
/** Wrong current passwords per account. Somebody with a borrowed session must not guess the password. */
export const OWN_PASSWORD_LIMIT: SharedLimit = { name: 'own-password', max: 10, windowMs: 15 * MINUTE_MS };
/** Corrected addresses of one unconfirmed account, including taken ones. Correcting a typo needs one or two. */
export const EMAIL_CORRECTION_LIMIT: SharedLimit = { name: 'email-correction', max: 10, windowMs: 60 * MINUTE_MS };
/** Photos that an account uploads. At least 60 a minute are allowed. */
export const UPLOAD_LIMIT: SharedLimit = { name: 'upload', max: 90, windowMs: MINUTE_MS };
/** Starts of one tool by an account. At least 60 a minute are allowed. */
export const START_LIMIT: SharedLimit = { name: 'start', max: 120, windowMs: MINUTE_MS };

type Counting = Pick<AppContext, 'db'> & { config: Pick<AppContext['config'], 'sessionSecret'> };

/**
 * Counts an attempt before it is made, so that parallel ones cannot exceed the limit. `subject`: what is counted, such
 * as an address. Throws AppError too_many_requests with the seconds to wait.
 */
export async function countAttempt(app: Counting, limit: SharedLimit, subject: string): Promise<void> {
  const parameters = prepareCount(app, limit, subject);
  const [row] = await app.db.$queryRawUnsafe<{ counted: number }[]>(
    `WITH ${toCountCte(1)} SELECT count(*)::int AS counted FROM counted`,
    ...parameters,
  );
  if (row?.counted !== 1) await refuseAttempt(app, limit, subject);
}

/** The parameters of `toCountCte`, for a caller who makes the count part of a larger statement. */
export function prepareCount(
  app: Pick<Counting, 'config'>,
  limit: SharedLimit,
  subject: string,
): [key: Uint8Array, max: number, windowMs: number] {
  return [hashSubject(app, limit, subject), limit.max, limit.windowMs];
}

/** The SQL of a count, whose parameters begin at `$first`. `counted` has one row, or none past the limit. */
export function toCountCte(first: number): string {
  return `counted AS (
    INSERT INTO rate_limits AS known (key, count, expires_at)
    VALUES ($${first}::bytea, 1, now() + $${first + 2}::int * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN known.expires_at > now() THEN known.count + 1 ELSE 1 END,
      expires_at = CASE WHEN known.expires_at > now() THEN known.expires_at ELSE excluded.expires_at END
    WHERE known.expires_at <= now() OR known.count < $${first + 1}::int
    RETURNING key
  )`;
}

/** Throws AppError too_many_requests with the seconds until the next attempt is allowed. */
export async function refuseAttempt(app: Counting, limit: SharedLimit, subject: string): Promise<never> {
  const key = hashSubject(app, limit, subject);
  const [row] = await app.db.$queryRaw<{ seconds: number | null }[]>`
    SELECT ceil(extract(epoch FROM
      CASE WHEN count >= ${limit.max} AND expires_at > now() THEN expires_at ELSE pending_until END - now()
    ))::int AS seconds FROM rate_limits WHERE key = ${key}`;
  throw new AppError('too_many_requests', { retryAfter: Math.max(1, row?.seconds ?? 1) });
}

/**
 * Checks a secret. Only wrong ones stay counted: a right one clears the count, and a check that fails or whose process
 * dies is forgotten. While checks are under way they count, so that parallel guesses cannot exceed the limit. `check`
 * resolves to whether the secret is right, and its answer is returned. Throws AppError too_many_requests with the
 * seconds to wait, and what `check` throws.
 */
export async function checkWithinLimit(
  app: Counting,
  limit: SharedLimit,
  subject: string,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const key = hashSubject(app, limit, subject);
  if (!(await reserveAttempt(app, limit, key))) await refuseAttempt(app, limit, subject);
  const isRight = await check().catch(async (error: unknown) => {
    await releaseAttempt(app, key);
    throw error;
  });
  if (isRight) {
    await app.db.rateLimit.deleteMany({ where: { key } }).catch(async (error: unknown) => {
      await releaseAttempt(app, key);
      throw error;
    });
  }
  // Before anybody learns that it was wrong.
  else await countWrong(app, limit, key);
  return isRight;
}

/** Clears the attempts of a subject, after a proof that they were its owner's. */
export async function forgetAttempts(app: Counting, limit: SharedLimit, subject: string): Promise<void> {
  await app.db.rateLimit.deleteMany({ where: { key: hashSubject(app, limit, subject) } });
}

/** Removes counts whose window is over. Returns how many there were. */
export function removeOldCounts({ db }: Pick<AppContext, 'db'>): Promise<number> {
  return db.$executeRaw`
    DELETE FROM rate_limits WHERE expires_at <= now() AND (pending_until IS NULL OR pending_until <= now())`;
}

/** Returns false past the limit. */
async function reserveAttempt({ db }: Counting, limit: SharedLimit, key: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const reserved = await db.$executeRaw`
    INSERT INTO rate_limits AS known (key, count, pending, pending_until, expires_at)
    VALUES (${key}, 0, 1, now() + ${PENDING_MS}::int * interval '1 millisecond',
      now() + ${limit.windowMs}::int * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN known.expires_at > now() THEN known.count ELSE 0 END,
      expires_at = CASE WHEN known.expires_at > now() THEN known.expires_at ELSE excluded.expires_at END,
      pending = CASE WHEN known.pending_until > now() THEN known.pending + 1 ELSE 1 END,
      pending_until = excluded.pending_until
    WHERE CASE WHEN known.expires_at > now() THEN known.count ELSE 0 END
      + CASE WHEN known.pending_until > now() THEN known.pending ELSE 0 END < ${limit.max}::int`;
  return reserved === 1;
}

async function countWrong({ db }: Counting, { windowMs }: SharedLimit, key: Uint8Array<ArrayBuffer>): Promise<void> {
  await db.$executeRaw`
    INSERT INTO rate_limits AS known (key, count, expires_at)
    VALUES (${key}, 1, now() + ${windowMs}::int * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN known.expires_at > now() THEN known.count + 1 ELSE 1 END,
      expires_at = CASE WHEN known.expires_at > now() THEN known.expires_at ELSE excluded.expires_at END,
      pending = greatest(known.pending - 1, 0)`;
}

async function releaseAttempt({ db }: Counting, key: Uint8Array<ArrayBuffer>): Promise<void> {
  const release = db.$executeRaw`UPDATE rate_limits SET pending = greatest(pending - 1, 0) WHERE key = ${key}`;
  // Otherwise it ends by itself. The failure that led here is the one to report.
  await release.catch(() => undefined);
}

function hashSubject({ config }: Pick<Counting, 'config'>, { name }: SharedLimit, subject: string) {
  return new Uint8Array(createHmac('sha256', config.sessionSecret).update(`limit:${name}:${subject}`).digest());
}
