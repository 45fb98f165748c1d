import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Account } from '#prisma/generated/client.ts';
import type { ConfirmedUser, SignupStarsRefusal } from '#shared/contract/account.ts';
import { type IssuedCode, issueCode, lockAccount, tryCode, withdrawCode } from './email-codes.ts';
import { sendVerificationMail } from './mails.ts';
import { type Browser, type NewSession, presentAccount, startSession } from './sessions.ts';
import { grantSignupStars } from './signup-stars.ts';

/**
 * Mails a new verification code. Throws AppError already_verified, code_requested_too_soon, too_many_requests,
 * mail_not_sent. After mail_not_sent another attempt is possible at once.
 */
export async function resendVerificationCode(app: AppContext, accountId: number): Promise<void> {
  const issued = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockAccount(tx, accountId);
    const { emailVerifiedAt } = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (emailVerifiedAt) throw new AppError('already_verified');
    return issueCode(tx, app.config, { accountId, purpose: 'verify_email' });
  });
  const wasSent = await mailVerificationCode(app, accountId, issued);
  if (!wasSent) throw new AppError('mail_not_sent');
}

/** Sends an issued code to its address. On failure logs it, withdraws the code and returns false. */
export async function mailVerificationCode(app: AppContext, accountId: number, issued: IssuedCode): Promise<boolean> {
  try {
    await sendVerificationMail(app, { to: issued.email, code: issued.code });
    return true;
  } catch (error) {
    app.log.error({ err: error, accountId }, 'verification mail not sent');
    await withdrawCode(app, issued.id);
    return false;
  }
}

/**
 * Confirms the e-mail: code, confirmation, sign-up stars and the session's new token in one transaction. Returns an
 * account that is already confirmed unchanged and without a new session. Throws AppError invalid_code, code_expired.
 */
export async function verifyEmail(
  app: AppContext,
  request: { accountId: number; code: string; browser: Browser },
): Promise<{ account: ConfirmedUser; session: NewSession | null }> {
  const { accountId, code, browser } = request;
  const outcome = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockAccount(tx, accountId);
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (account.emailVerifiedAt) return { account, session: null, refusal: null };
    const refusedCode = await tryCode(tx, app.config, { accountId, purpose: 'verify_email', code });
    if (refusedCode) return refusedCode;
    const refusal = await markEmailVerified(tx, app.config, { accountId, address: browser.address });
    const session = await startSession(tx, accountId, browser);
    return { account: await tx.account.findUniqueOrThrow({ where: { id: accountId } }), session, refusal };
  });
  if (outcome instanceof AppError) throw outcome;
  return { account: presentConfirmed(app, outcome.account, outcome.refusal), session: outcome.session };
}

/** The account, with the reason why its confirmed e-mail brought no sign-up stars, if there is one. */
export function presentConfirmed(
  app: Pick<AppContext, 'config'>,
  account: Account,
  signupStarsRefused: SignupStarsRefusal | null,
): ConfirmedUser {
  return { ...presentAccount(app, account), ...(signupStarsRefused ? { signupStarsRefused } : {}) };
}

/**
 * Marks the address as confirmed. The first confirmation of an account grants the sign-up stars. `address`: where the
 * person calls from; null for an operator. Returns why there were none, or null.
 */
export async function markEmailVerified(
  tx: Tx,
  secrets: Pick<AppContext['config'], 'sessionSecret'>,
  { accountId, address }: { accountId: number; address: string | null },
): Promise<SignupStarsRefusal | null> {
  const marked = await tx.account.updateMany({
    where: { id: accountId, emailVerifiedAt: null },
    data: { emailVerifiedAt: new Date() },
  });
  if (marked.count === 0) return null;
  const { emailKey } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { emailKey: true } });
  return emailKey === null ? null : grantSignupStars(tx, secrets, { accountId, emailKey, address });
}
