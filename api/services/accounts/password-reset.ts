import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import { workForAccount } from '#api/fair-pool.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { transact } from '#api/services/ground/certain-writes.ts';
import { forgetAttempts, SIGN_IN_LIMIT } from '#api/services/ground/shared-limits.ts';
import { emailKeyOf } from './accounts.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { issueCode, lockAccount, tryCode, withdrawCode } from './email-codes.ts';
import { markEmailVerified } from './email-verification.ts';
import { sendPasswordResetMail } from './mails.ts';
import { getOwnEmail } from './own-email.ts';
import { hashPassword } from './passwords.ts';
import { type Browser, type NewSession, presentAccount, type SignedInAccount, startSession } from './sessions.ts';
import { endOtherSessions } from './settings.ts';

/**
 * The same text for a wrong code, an expired one and an unknown address, so that the answer does not reveal which it
 * is.
 */
const RESET_REFUSED = 'Код неверный или больше не действует. Проверьте email и код или запросите новый';
/** Minimum duration of a refusal. It is far longer than the extra work for a known address. */
const REFUSAL_MS = 400;

/**
 * Mails a reset code if the account exists. Never throws and reveals nothing: the caller answers before this is done,
 * so that the duration is the same for every address.
 */
export async function sendPasswordResetCode(app: AppContext, email: string): Promise<void> {
  try {
    const issued = await transactAsOwner(app.db, emailKeyOf(email), (tx, accountId) =>
      issueCode(tx, app.config, { accountId, purpose: 'reset_password' }),
    );
    if (!issued) return;
    try {
      await sendPasswordResetMail(app, { to: getOwnEmail(issued), code: issued.code });
    } catch (error) {
      await withdrawCode(app, issued.id);
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError) app.log.debug({ reason: error.code }, 'no reset mail');
    else app.log.error({ err: error }, 'password reset mail not sent');
  }
}

/**
 * A transaction with the locked account that has this address. Null without `work` when no account has it, or lost it
 * before the lock was taken. Nobody is signed in, but waiting for the lock counts as the owner's: anybody may ask for
 * codes, many at once.
 */
async function transactAsOwner<T>(
  db: Db,
  emailKey: string,
  work: (tx: Tx, accountId: number) => Promise<T>,
): Promise<T | null> {
  const found = await db.account.findUnique({ where: { emailKey }, select: { id: true } });
  if (!found) return null;
  return workForAccount(found.id, () =>
    transact(db, async (tx) => {
      await lockAccount(tx, found.id);
      const owner = await tx.account.findUnique({ where: { id: found.id, emailKey }, select: { id: true } });
      return owner && work(tx, owner.id);
    }),
  );
}

/**
 * Sets a new password with a mailed code, confirms the e-mail that the code proves, signs in and ends all other
 * sessions of the account. Throws AppError password_common, and invalid_code for anything wrong with the code or the
 * address, always after the same time.
 */
export async function resetPassword(
  app: AppContext,
  request: { email: string; code: string; password: string; browser: Browser },
): Promise<{ account: SignedInAccount; session: NewSession }> {
  const emailKey = emailKeyOf(request.email);
  // Before the code is looked at, so that the answer says nothing about it and the code stays usable.
  await refuseCommonPassword(app, request.password, 'password');
  // Before any lookup, so that an unknown address costs the same expensive hash and the same wait.
  const passwordHash = await hashPassword(app, request.password);
  const startedAt = performance.now();
  const outcome = await transactAsOwner(app.db, emailKey, async (tx, accountId) => {
    const guess = { accountId, purpose: 'reset_password', code: request.code } as const;
    if (await tryCode(tx, app.config, guess)) return null;
    await markEmailVerified(tx, app.config, accountId);
    // Before the other sessions end, so that the new session takes over this browser's push subscription.
    const session = await startSession(tx, accountId, request.browser);
    await endOtherSessions(tx, { accountId, token: session.token });
    return {
      account: await tx.account.update({ where: { id: accountId }, data: { passwordHash, hasPrintedPassword: false } }),
      session,
    };
  });
  if (!outcome) {
    // A known address takes a few more statements. The wait hides that from anybody who measures the time.
    await wait(Math.max(0, startedAt + REFUSAL_MS - performance.now()));
    throw new AppError('invalid_code', { message: RESET_REFUSED });
  }
  // The password is set already. Attempts that stay counted end by themselves.
  await forgetAttempts(app, SIGN_IN_LIMIT, emailKey).catch((error: unknown) =>
    app.log.error({ err: error }, 'wrong passwords before a reset stay counted'),
  );
  app.log.info({ action: 'login', accountId: outcome.account.id, method: 'password_reset' }, 'signed in');
  return { account: presentAccount(app, outcome.account), session: outcome.session };
}
