import { setTimeout as wait } from 'node:timers/promises';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { ConfirmedUser } from '#shared/contract/account.ts';
import { lockChat } from './chats.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { emailKeyOf } from './email-address.ts';
import { lockAccount, withdrawCode } from './email-codes.ts';
import { markEmailVerified, presentConfirmed } from './email-verification.ts';
import { queuePasswordChangedMail, sendPasswordResetMail } from './mails.ts';
import { endFormerAccess, hashPassword, isLongEnough } from './passwords.ts';
import {
  countResetGuess,
  countResetRequest,
  forgetResetGuess,
  isResetCodeRight,
  issueResetCode,
  type ResetCaller,
  tryResetCode,
} from './reset-codes.ts';
import { type NewSession, startOnlySession } from './sessions.ts';

/** The same for a wrong code, an expired one and an unknown address, so that the answer reveals nothing. */
const RESET_REFUSED = 'Код неверный или больше не действует. Проверьте email и код или запросите новый';
/** Minimum duration of a refusal. It is far longer than the extra work for a known address. */
const REFUSAL_MS = 400;

/**
 * Counts a request for a reset code and makes the one who asked known by `handle`. Returns what mails the code if the
 * account exists. It never throws and reveals nothing: the caller answers before it is done, so that the duration is
 * the same for every address. Throws AppError code_requested_too_soon, too_many_requests.
 */
export async function requestPasswordReset(
  app: AppContext,
  { email, ...caller }: Omit<ResetCaller, 'emailKey' | 'handle'> & { email: string; handle: string },
): Promise<() => Promise<void>> {
  const emailKey = emailKeyOf(email);
  const account = await app.db.account.findUnique({ where: { emailKey }, select: { id: true, passwordHash: true } });
  const { isKnownDevice } = await countResetRequest(app, { ...caller, emailKey }, account);
  return () => sendResetCode(app, emailKey, { handle: caller.handle, isKnownDevice });
}

async function sendResetCode(
  app: AppContext,
  emailKey: string,
  caller: { handle: string; isKnownDevice: boolean },
): Promise<void> {
  try {
    const issued = await transactAsOwner(app, emailKey, (tx, accountId) =>
      issueResetCode(tx, app.config, { accountId, ...caller }),
    );
    if (!issued) return;
    try {
      await sendPasswordResetMail(app, { to: issued.email, code: issued.code });
    } catch (error) {
      await withdrawCode(app, issued.id);
      throw error;
    }
  } catch (error) {
    app.log.error({ err: error }, 'password reset mail not sent');
  }
}

/**
 * A transaction with the locked account that has this address. Null without `work` when no account has it, or lost it
 * before the lock was taken. One at a time waits for the lock, because anybody may ask for codes, many at once.
 */
async function transactAsOwner<T>(
  { db, state }: Pick<AppContext, 'db' | 'state'>,
  emailKey: string,
  work: (tx: Tx, accountId: number) => Promise<T>,
): Promise<T | null> {
  const found = await db.account.findUnique({ where: { emailKey }, select: { id: true } });
  if (!found) return null;
  return state.semaphores.signInsOfAccount.run(found.id, () =>
    commitWithOutcomeCheck(db, async (tx) => {
      await lockChat(tx, found.id);
      await lockAccount(tx, found.id);
      const owner = await tx.account.findUnique({ where: { id: found.id, emailKey }, select: { id: true } });
      return owner && work(tx, owner.id);
    }),
  );
}

/**
 * Sets a new password with a mailed code, confirms the e-mail that the code proves, signs in and ends all other
 * sessions of the account. Chats are parted unless they are to be kept. Throws AppError password_common,
 * too_many_requests, and invalid_code for anything wrong with the code or the address, always after the same time.
 */
export async function resetPassword(
  app: AppContext,
  request: { email: string; code: string; password: string; keepsChats?: boolean | undefined } & Omit<
    ResetCaller,
    'emailKey'
  >,
): Promise<{ account: ConfirmedUser; session: NewSession; passwordHash: string }> {
  const emailKey = emailKeyOf(request.email);
  const { browser, handle, code } = request;
  const caller = { emailKey, handle, browser };
  // Before the code is looked at, so that the answer says nothing about it and the code stays usable.
  await refuseCommonPassword(app, request.password, 'password');
  const right = await countResetGuess(app, caller);
  const startedAt = performance.now();
  const found = await app.db.account.findUnique({ where: { emailKey }, select: { id: true } });
  const guess = found && { accountId: found.id, code, handle, right };
  // The hash is expensive, and sign-ins wait in the same queue, so nobody gets one for a wrong code.
  if (!guess || !(await isResetCodeRight(app.db, app.config, guess))) return refuseReset(startedAt);
  // Before what may fail on a busy server: a right code is no wrong guess.
  await forgetResetGuess(app, caller, right);
  const passwordHash = await hashPassword(app, request.password);
  const outcome = await transactAsOwner(app, emailKey, async (tx, accountId) => {
    if (!(await tryResetCode(tx, app.config, { accountId, code, handle, right }))) return null;
    const owner = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    // The transaction is undone, so the code stays usable.
    if (!isLongEnough(app, owner, request.password)) throw new AppError('password_short');
    await endFormerAccess(tx, { accountId, keepsChats: request.keepsChats });
    const refusal = await markEmailVerified(tx, app.config, { accountId, address: browser.address });
    const session = await startOnlySession(tx, accountId, browser);
    await queuePasswordChangedMail(app, tx, accountId);
    return {
      account: await tx.account.update({ where: { id: accountId }, data: { passwordHash, hasPrintedPassword: false } }),
      session,
      refusal,
    };
  });
  if (!outcome) return refuseReset(startedAt);
  app.log.info({ action: 'login', accountId: outcome.account.id, method: 'password_reset' }, 'signed in');
  const { session } = outcome;
  return { account: presentConfirmed(app, outcome.account, outcome.refusal), session, passwordHash };
}

/** A known address takes a statement more. The wait hides that from anybody who measures the time. */
async function refuseReset(startedAt: number): Promise<never> {
  await wait(Math.max(0, startedAt + REFUSAL_MS - performance.now()));
  throw new AppError('invalid_code', { message: RESET_REFUSED });
}
