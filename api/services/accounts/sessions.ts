import { hash, randomBytes } from 'node:crypto';
import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { selectFields } from '#api/database/select-fields.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { countPremiumPayments, type PremiumStatus, presentPremium } from '#api/services/core/premium-status.ts';
import { type Account, Prisma } from '#prisma/generated/client.ts';
import type { User } from '#shared/contract/account.ts';
import { dateOfErasure } from '#shared/rules/retention.ts';
import { SESSION_LIFETIME_MS } from '#shared/rules/session.ts';
import { toShownEmail } from './email-address.ts';

export type SignedInAccount = User;

export interface Caller extends SignedInAccount {
  starBalance: number;
  premium: PremiumStatus;
}

/** What decides which files of an account are shown. */
export type Viewer = Pick<Caller, 'id' | 'premium'>;

/** The use of a session is recorded at most this often. Otherwise every request of a page would be a write. */
const TOUCH_INTERVAL_MS = 3_600_000;
/** After this time an answer with a new cookie has either reached its browser or been lost. */
const ANSWER_ON_ITS_WAY_MS = 60_000;
const TOKEN_BYTES = 32;
const USER_AGENT_MAX_LENGTH = 300;

export interface Browser {
  userAgent: string;
  sessionToken: string | null;
  address: string;
  /** Its tickets of accounts that it has signed in to before, as its cookie has them. */
  knownDevices: string | null;
}

/** Whose request it is, and of which session. */
export interface OwnSession {
  accountId: number;
  token: string | null;
}

export interface NewSession {
  /** For the cookie only. The database stores its hash. */
  token: string;
}

export interface FoundSession {
  account: Caller;
  /** The session was just extended, so its cookie should be, too. */
  wasExtended: boolean;
}

/**
 * Opens a session and ends the one the browser came with, so that a planted or stolen token dies at sign-in. If both
 * belong to one account, the push subscription of the browser stays.
 */
export async function startSession(
  tx: Tx,
  accountId: number,
  browser: Pick<Browser, 'userAgent' | 'sessionToken'>,
): Promise<NewSession> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { id: sessionId } = await tx.session.create({
    data: {
      tokenHash: hashToken(token),
      replacedTokenHash: browser.sessionToken ? hashToken(browser.sessionToken) : null,
      accountId,
      userAgent: browser.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
      expiresAt: new Date(Date.now() + SESSION_LIFETIME_MS),
    },
  });
  if (browser.sessionToken) {
    const former = { accountId, session: { tokenHash: hashToken(browser.sessionToken) } };
    await tx.pushSubscription.updateMany({ where: former, data: { sessionId } });
    await endSession(tx, browser.sessionToken);
  }
  return { token };
}

/** Opens a session and ends every other one of the account. */
export async function startOnlySession(tx: Tx, accountId: number, browser: Browser): Promise<NewSession> {
  // The others end afterwards, so that the new session takes over this browser's push subscription.
  const session = await startSession(tx, accountId, browser);
  await endOtherSessions(tx, { accountId, token: session.token });
  return session;
}

const SHOWN_FIELDS = [
  'id',
  'email',
  'username',
  'firstName',
  'lastName',
  'emailVerifiedAt',
  'isAdmin',
  'consentVersion',
  'transferConsentVersion',
  'deletionAskedAt',
  'hasPrintedPassword',
] as const satisfies (keyof Account)[];
type ShownAccount = Pick<Account, (typeof SHOWN_FIELDS)[number]>;
const CALLER_COLUMNS = selectFields('account', [...SHOWN_FIELDS, 'starBalance']);

type SessionRow = ShownAccount & {
  starBalance: number;
  sessionId: string;
  expiresAt: Date;
  lastSeenAt: Date;
  premiumPayments: number;
};

/**
 * The session of a cookie, or null. Extends it, at most once an hour, unless its owner is signing out. Every request
 * asks, so it is one statement with a name, which each connection plans once.
 */
export async function findSession(
  app: Pick<AppContext, 'config' | 'db' | 'payments' | 'pool'>,
  { token, isLeaving }: { token: string; isLeaving: boolean },
): Promise<FoundSession | null> {
  const { text, values } = Prisma.sql`
    select session.id as "sessionId", session.expires_at as "expiresAt", session.last_seen_at as "lastSeenAt",
      ${CALLER_COLUMNS}, ${countPremiumPayments(app)} as "premiumPayments"
    from sessions as session join accounts as account on account.id = session.account_id
    where session.token_hash = ${hashToken(token)}`;
  const { rows } = await app.pool.query<SessionRow>({ name: 'find-session', text, values });
  const [session] = rows;
  const now = Date.now();
  if (!session || session.expiresAt.getTime() <= now) return null;
  const wasExtended = !isLeaving && session.lastSeenAt.getTime() <= now - TOUCH_INTERVAL_MS;
  if (wasExtended) {
    const { count } = await app.db.session.updateMany({
      where: { id: session.sessionId },
      data: { lastSeenAt: new Date(now), expiresAt: new Date(now + SESSION_LIFETIME_MS) },
    });
    // Another request has just ended it.
    if (count === 0) return null;
  }
  const { starBalance, premiumPayments } = session;
  const account = { ...presentAccount(app, session), starBalance, premium: presentPremium(premiumPayments) };
  return { account, wasExtended };
}

export async function findSessionId(app: WithDb, token: string): Promise<string | null> {
  const session = await app.db.session.findUnique({ where: { tokenHash: hashToken(token) }, select: { id: true } });
  return session?.id ?? null;
}

/**
 * Whether this token was replaced within the last minute, so that its browser has the new one or is about to get it.
 * Later the new token must have been lost on its way. A token that was replaced twice within that minute is not
 * recognised, which costs one sign-in.
 */
export async function wasJustReplaced(app: WithDb, token: string): Promise<boolean> {
  const createdAt = { gt: new Date(Date.now() - ANSWER_ON_ITS_WAY_MS) };
  return (await app.db.session.count({ where: { replacedTokenHash: hashToken(token), createdAt } })) > 0;
}

/** Does nothing when the session does not exist. */
export async function endSession(tx: Tx, token: string): Promise<void> {
  await removeSessions(tx, { tokenHash: hashToken(token) });
}

export async function endAllSessions(tx: Tx, accountId: number): Promise<void> {
  await removeSessions(tx, { accountId });
}

export async function endOtherSessions(tx: Tx, { accountId, token }: OwnSession): Promise<void> {
  await removeSessions(tx, { accountId, ...(token ? { tokenHash: { not: hashToken(token) } } : {}) });
}

/** Ends sessions, their push subscriptions and their event streams. Returns how many there were. */
export async function removeSessions(tx: Tx, where: Prisma.SessionWhereInput): Promise<number> {
  const owners = await tx.session.findMany({ where, distinct: ['accountId'], select: { accountId: true } });
  const { count } = await tx.session.deleteMany({ where });
  for (const { accountId } of owners) await sendAccountEvent(tx, { accountId, event: 'sessions' });
  return count;
}

export function presentAccount(app: Pick<AppContext, 'config'>, account: ShownAccount): SignedInAccount {
  return {
    id: account.id,
    // An account that exists only through Telegram has no session, so nobody sees this empty.
    email: account.email === null ? '' : toShownEmail(account.email),
    username: account.username,
    firstName: account.firstName,
    lastName: account.lastName,
    isEmailVerified: account.emailVerifiedAt !== null,
    isAdmin: account.isAdmin || app.config.adminUserIds.includes(account.id),
    consentVersion: account.consentVersion,
    transferConsentVersion: account.transferConsentVersion,
    erasesAt: account.deletionAskedAt && dateOfErasure(account.deletionAskedAt).toISOString(),
    ...(account.hasPrintedPassword ? { hasPrintedPassword: true } : {}),
  };
}

export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'));
}
