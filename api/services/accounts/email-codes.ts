import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { CODE_LIFETIME_SECONDS } from '#api/services/core/limit-table.ts';
import type { CodePurpose } from '#prisma/generated/enums.ts';
import { VERIFICATION_CODE_LENGTH } from '#shared/contract/account.ts';
import { getOwnEmail } from './email-address.ts';

/** Without 0, O, 1 and I, which look alike. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const CODE_LIFETIME_MS = CODE_LIFETIME_SECONDS * 1000;
const CODE_MAX_ATTEMPTS = 5;
const CODE_RESEND_MS = 60_000;
/** For one account and purpose, and for what all other accounts send to one mailbox. */
const CODES_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

export interface IssuedCode {
  id: string;
  code: string;
  /** The recipient. The account's address is read under the lock, because it may change until then. */
  email: string;
}

/**
 * Creates a code and invalidates earlier ones of the same purpose. It is for the account's own address, or for `to`,
 * the account's future address. Throws AppError code_requested_too_soon within a minute of the account's last code to
 * the same address, and too_many_requests after ten in an hour for the account, or from other accounts to the mailbox.
 */
export async function issueCode(
  tx: Tx,
  secrets: Secrets,
  owner: { accountId: number; purpose: CodePurpose },
  to?: string,
): Promise<IssuedCode> {
  await lockAccount(tx, owner.accountId);
  const account = await tx.account.findUniqueOrThrow({ where: { id: owner.accountId }, select: { email: true } });
  const email = to ?? getOwnEmail(account);
  await lockMailbox(tx, email);
  const now = Date.now();
  const wait = await findCodeWait(tx, owner, email, now);
  if (wait) throw new AppError(wait.reason, { retryAfter: wait.retryAfter });
  return createCode(tx, secrets, owner, { mailedTo: email });
}

/** Stores a new code. Whether it may be sent is for the caller to know. */
export async function createCode(
  tx: Tx,
  secrets: Secrets,
  owner: { accountId: number; purpose: CodePurpose },
  fields: { mailedTo: string; handleHash?: Uint8Array<ArrayBuffer>; isKnownDevice?: boolean },
): Promise<IssuedCode> {
  const now = Date.now();
  const code = Array.from(
    { length: VERIFICATION_CODE_LENGTH },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join('');
  const { id } = await tx.emailCode.create({
    data: {
      ...owner,
      ...fields,
      codeHash: hashCode(secrets, owner, code),
      createdAt: new Date(now),
      expiresAt: new Date(now + CODE_LIFETIME_MS),
    },
    select: { id: true },
  });
  return { id, code, email: fields.mailedTo };
}

/** Whole seconds until another code for the account's own address may be requested. 0 when it may be requested now. */
export async function getCodeWait(db: Db, owner: { accountId: number; purpose: CodePurpose }): Promise<number> {
  const { email } = await db.account.findUniqueOrThrow({ where: { id: owner.accountId }, select: { email: true } });
  return (await findCodeWait(db, owner, email, Date.now()))?.retryAfter ?? 0;
}

interface CodeWait {
  reason: 'code_requested_too_soon' | 'too_many_requests';
  retryAfter: number;
}

/** Why a code for this address would come too soon, and how long to wait. Null when it may be sent. */
async function findCodeWait(
  db: Db | Tx,
  owner: { accountId: number; purpose: CodePurpose },
  email: string | null,
  now: number,
): Promise<CodeWait | null> {
  const hourAgo = new Date(now - HOUR_MS);
  // After a clock has been set back, codes seem to come from the future. Nobody waits for those.
  const soon = new Date(now + CODE_RESEND_MS);
  const ofAccount = await db.emailCode.findMany({
    where: { ...owner, createdAt: { gt: hourAgo, lt: soon } },
    orderBy: { createdAt: 'desc' },
    take: CODES_PER_HOUR,
    select: { createdAt: true, mailedTo: true },
  });
  const newest = ofAccount.find(({ mailedTo }) => isSameEmail(mailedTo, email));
  if (newest && newest.createdAt.getTime() > now - CODE_RESEND_MS) {
    return {
      reason: 'code_requested_too_soon',
      retryAfter: secondsUntil(newest.createdAt, CODE_RESEND_MS, now),
    };
  }
  // The next code is allowed when the tenth newest is an hour old.
  const tenth =
    ofAccount[CODES_PER_HOUR - 1] ??
    (email && (await listOfOthers(db, owner.accountId, email, hourAgo))[CODES_PER_HOUR - 1]);
  return tenth ? { reason: 'too_many_requests', retryAfter: secondsUntil(tenth.createdAt, HOUR_MS, now) } : null;
}

/** Reset codes do not count: anybody may request them, which would keep the owner from confirming the address. */
function listOfOthers(db: Db | Tx, accountId: number, email: string, since: Date): Promise<{ createdAt: Date }[]> {
  return db.$queryRaw`
    select created_at as "createdAt" from email_codes
    where lower(mailed_to) = ${email.toLowerCase()} and account_id <> ${accountId} and created_at > ${since}
      and purpose <> 'reset_password'
    order by created_at desc limit ${CODES_PER_HOUR}`;
}

/** Serialises the counting of codes from different accounts to one mailbox. */
async function lockMailbox(tx: Tx, email: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${email.toLowerCase()}`}, 0))`;
}

/**
 * Withdraws a code whose mail was not sent: another may be requested at once, and the previous one is valid again.
 * Never throws, because what comes before is committed. A code that stays has to be waited for.
 */
export async function withdrawCode({ db, log }: Pick<AppContext, 'db' | 'log'>, id: string): Promise<void> {
  await db.emailCode
    .deleteMany({ where: { id } })
    .catch((error: unknown) => log.error({ err: error }, 'code of a mail that was not sent not withdrawn'));
}

/**
 * Uses one of five attempts on the newest code and, if it is right, the code itself. Returns the reason for a refusal
 * or null. It does not throw, because a rollback of the caller's transaction would also undo the attempt.
 */
export async function tryCode(
  tx: Tx,
  secrets: Secrets,
  guess: { accountId: number; purpose: CodePurpose; code: string },
): Promise<AppError | null> {
  const { code, ...owner } = guess;
  const newest = await tx.emailCode.findFirst({ where: owner, orderBy: { createdAt: 'desc' } });
  if (!newest) return new AppError('code_expired');
  // The condition is checked again under the row's lock, so parallel guesses cannot exceed five attempts.
  const tried = await tx.emailCode.updateMany({
    where: {
      id: newest.id,
      usedAt: null,
      expiresAt: { gt: new Date() },
      attempts: { lt: CODE_MAX_ATTEMPTS },
    },
    data: { attempts: { increment: 1 } },
  });
  if (tried.count === 0) return new AppError('code_expired');
  if (!timingSafeEqual(newest.codeHash, hashCode(secrets, owner, code))) {
    return new AppError('invalid_code', { attemptsLeft: CODE_MAX_ATTEMPTS - newest.attempts - 1 });
  }
  await tx.emailCode.update({ where: { id: newest.id }, data: { usedAt: new Date() } });
  return null;
}

/**
 * Invalidates the codes mailed to the former address when the account gets another one. They still count for the
 * limits.
 */
export async function retireCodes(tx: Tx, accountId: number): Promise<void> {
  await tx.emailCode.updateMany({ where: { accountId, usedAt: null }, data: { usedAt: new Date() } });
}

/** Serialises everything about the codes and addresses of one account. Call it before touching any row of a code. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.$queryRaw`select id from accounts where id = ${accountId} for update`;
}

export function hashCode(
  secrets: Secrets,
  owner: { accountId: number; purpose: CodePurpose },
  code: string,
): Uint8Array<ArrayBuffer> {
  const hmac = createHmac('sha256', secrets.sessionSecret).update(`${owner.purpose}:${owner.accountId}:${code}`);
  return new Uint8Array(hmac.digest());
}

function isSameEmail(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

function secondsUntil(since: Date, intervalMs: number, now: number): number {
  return Math.max(1, Math.ceil((since.getTime() + intervalMs - now) / 1000));
}
