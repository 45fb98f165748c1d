import { createHmac } from 'node:crypto';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

const MINUTE_MS = 60_000;

/** At most `max` attempts within a window that begins with the first one. All processes count together. */
export interface SharedLimit {
  /** Attempts with the same name and the same subject are counted together. */
  name: string;
  max: number;
  windowMs: number;
}

/** Corrected addresses of one unconfirmed account, including taken ones. Correcting a typo needs one or two. */
export const EMAIL_CORRECTION_LIMIT: SharedLimit = { name: 'email-correction', max: 10, windowMs: 60 * MINUTE_MS };
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
    SELECT ceil(extract(epoch FROM expires_at - now()))::int AS seconds FROM rate_limits WHERE key = ${key}`;
  throw new AppError('too_many_requests', { retryAfter: Math.max(1, row?.seconds ?? 1) });
}

/** Removes counts whose window is over. Returns how many there were. */
export function removeOldCounts({ db }: Pick<AppContext, 'db'>): Promise<number> {
  return db.$executeRaw`DELETE FROM rate_limits WHERE expires_at <= now()`;
}

function hashSubject({ config }: Pick<Counting, 'config'>, { name }: SharedLimit, subject: string) {
  return new Uint8Array(createHmac('sha256', config.sessionSecret).update(`limit:${name}:${subject}`).digest());
}
