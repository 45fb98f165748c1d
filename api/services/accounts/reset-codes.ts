import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import {
  consumeLimit,
  forgetLimit,
  IPV6_SITE,
  returnToLimit,
  toNetwork,
  tryToConsume,
} from '#api/services/core/limits.ts';
import { getOwnEmail } from './email-address.ts';
import { createCode, hashCode, type IssuedCode } from './email-codes.ts';
import { findKnownDevice, type TicketOwner } from './known-devices.ts';
import type { Browser } from './sessions.ts';

// Anybody may ask for reset codes of anybody, and guess them. A browser that asks gets a handle with tries of its own.

type Counting = Pick<AppContext, 'db' | 'config'>;
type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** More would let strangers guess more at once. */
const VALID_MAX = 3;
/** Of known devices. One is left for a browser that is new. */
const VALID_MAX_OF_KNOWN = 2;

export interface ResetCaller {
  emailKey: string;
  /** The secret in the cookie that its first request got. */
  handle: string | null;
  browser: Browser;
}

/**
 * Counts a request for a code, in the same way whether the account exists or not. Returns whether it comes from a known
 * device. Throws AppError code_requested_too_soon and too_many_requests, with the seconds to wait.
 */
export async function countResetRequest(
  app: Counting,
  { emailKey, handle, browser }: ResetCaller,
  account: TicketOwner | null,
): Promise<{ isKnownDevice: boolean }> {
  const device = account && findKnownDevice(app.config, browser.knownDevices, account);
  const caller = device ? `device ${device}` : networkOf(browser);
  await consumeLimit(app, LIMITS.resetResend, `${emailKey} ${caller}`).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('code_requested_too_soon', { retryAfter: error.extra.retryAfter ?? LIMITS.resetResend.seconds });
  });
  await takePlace(app, device ? `${emailKey} ${caller}` : emailKey);
  if (handle !== null) await forgetLimit(app, LIMITS.resetHandle, `${emailKey} ${handle}`);
  return { isKnownDevice: Boolean(device) };
}

/** Throws AppError too_many_requests with the seconds until the first place is free. */
async function takePlace(app: Counting, subject: string): Promise<void> {
  const refusals: AppError[] = [];
  for (let place = 0; place < VALID_MAX; place++) {
    try {
      await consumeLimit(app, LIMITS.resetMails, `${subject} ${place}`);
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push(error);
    }
  }
  const waitOf = ({ extra }: AppError) => extra.retryAfter ?? LIMITS.resetMails.seconds;
  throw refusals.reduce((soonest, refusal) => (waitOf(refusal) < waitOf(soonest) ? refusal : soonest));
}

/**
 * Creates a code for the browser with this handle. The oldest ends where there would be more than three. Those of known
 * devices are not ended by requests of others.
 */
export async function issueResetCode(
  tx: Tx,
  secrets: Secrets,
  { accountId, handle, isKnownDevice }: { accountId: number; handle: string; isKnownDevice: boolean },
): Promise<IssuedCode> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  const owner = { accountId, purpose: 'reset_password' } as const;
  const handleHash = hashHandle(secrets, handle);
  const issued = await createCode(tx, secrets, owner, { mailedTo: getOwnEmail(account), handleHash, isKnownDevice });
  const valid = await findValid(tx, accountId);
  const known = valid.filter((code) => code.isKnownDevice).slice(0, VALID_MAX_OF_KNOWN);
  const others = valid.filter((code) => !code.isKnownDevice).slice(0, VALID_MAX - known.length);
  const surplus = valid.filter((code) => !known.includes(code) && !others.includes(code)).map(({ id }) => id);
  await tx.emailCode.updateMany({ where: { id: { in: surplus } }, data: { usedAt: new Date() } });
  return issued;
}

export interface GuessRight {
  /** Those of the caller's own handle. */
  own: boolean;
  /** All valid ones. */
  any: boolean;
}

/** Counts a guess before it is compared, alike whether the account exists or not. Throws AppError too_many_requests. */
export async function countResetGuess(app: Counting, caller: ResetCaller): Promise<GuessRight> {
  const { handle, emailKey, browser } = caller;
  const own = handle !== null && (await tryToConsume(app, LIMITS.resetHandle, `${emailKey} ${handle}`));
  const network = networkOf(browser);
  if (own) {
    const any =
      (await tryToConsume(app, LIMITS.resetAddress, network)) &&
      (await tryToConsume(app, LIMITS.resetAddresses, emailKey));
    return { own, any };
  }
  await consumeLimit(app, LIMITS.resetAddress, network);
  await consumeLimit(app, LIMITS.resetAddresses, emailKey);
  return { own, any: true };
}

export async function forgetResetGuess(app: Counting, caller: ResetCaller, { any }: GuessRight): Promise<void> {
  const { handle, emailKey, browser } = caller;
  if (handle !== null) await forgetLimit(app, LIMITS.resetHandle, `${emailKey} ${handle}`);
  if (!any) return;
  await returnToLimit(app, LIMITS.resetAddress, networkOf(browser));
  await returnToLimit(app, LIMITS.resetAddresses, emailKey);
}

interface ResetGuess {
  accountId: number;
  code: string;
  handle: string | null;
  right: GuessRight;
}

/** Whether a guess is right. Then all reset codes of the account are used up. The account has to be locked. */
export async function tryResetCode(tx: Tx, secrets: Secrets, guess: ResetGuess): Promise<boolean> {
  const isRight = await isResetCodeRight(tx, secrets, guess);
  const ofAccount = { accountId: guess.accountId, purpose: 'reset_password' } as const;
  if (isRight) await tx.emailCode.updateMany({ where: { ...ofAccount, usedAt: null }, data: { usedAt: new Date() } });
  return isRight;
}

/** Whether a reset code is right. Uses up neither the code nor a try. */
export async function isResetCodeRight(
  db: Db | Tx,
  secrets: Secrets,
  { accountId, code, handle, right }: ResetGuess,
): Promise<boolean> {
  const owner = { accountId, purpose: 'reset_password' } as const;
  const expected = hashCode(secrets, owner, code);
  const handleHash = handle === null ? null : hashHandle(secrets, handle);
  return (await findValid(db, accountId)).some((valid) => {
    const isOwn = right.own && isEqual(valid.handleHash, handleHash);
    return (isOwn || right.any) && timingSafeEqual(valid.codeHash, expected);
  });
}

function findValid(db: Db | Tx, accountId: number) {
  return db.emailCode.findMany({
    where: { accountId, purpose: 'reset_password', usedAt: null, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

function networkOf({ address }: Browser): string {
  return toNetwork(address, IPV6_SITE);
}

function hashHandle({ sessionSecret }: Secrets, handle: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', sessionSecret).update(`reset-handle:${handle}`).digest());
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one !== null && other !== null && timingSafeEqual(one, other);
}
