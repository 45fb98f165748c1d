import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit } from '#api/services/core/limits.ts';
import { refuseTakenEmail } from './accounts.ts';
import { emailKeyOf, localPartOf, toStoredEmail } from './email-address.ts';
import { issueCode, lockAccount, retireCodes, tryCode, withdrawCode } from './email-codes.ts';
import { mailVerificationCode } from './email-verification.ts';
import { sendEmailChangeCode } from './mails.ts';
import { lockProven, proveOwnPassword } from './passwords.ts';
import { type Browser, type NewSession, presentAccount, type SignedInAccount, startOnlySession } from './sessions.ts';

const SAME_EMAIL = 'Это и есть ваш email. Укажите другой';

/**
 * Corrects the e-mail of an account that has not confirmed it, and mails a code to the new one. Throws AppError
 * already_verified, email_taken, code_requested_too_soon, too_many_requests, mail_not_sent; after the last the new
 * address is set, and another code may be requested at once.
 */
export async function correctEmail(
  app: AppContext,
  { accountId, email }: { accountId: number; email: string },
): Promise<SignedInAccount> {
  await consumeLimit(app, LIMITS.emailCorrection, String(accountId));
  const { account, issued } = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockAccount(tx, accountId);
    const former = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (former.emailVerifiedAt) throw new AppError('already_verified');
    await retireCodes(tx, accountId);
    // A name that the person never chose follows the address.
    const isNameGiven = former.email === null || former.username !== localPartOf(former.email);
    const username = isNameGiven ? former.username : localPartOf(email);
    const data = { email: toStoredEmail(email), emailKey: emailKeyOf(email), username };
    const account = await tx.account.update({ where: { id: accountId }, data });
    return { account, issued: await issueCode(tx, app.config, { accountId, purpose: 'verify_email' }) };
  }).catch(refuseTakenEmail);
  if (!(await mailVerificationCode(app, accountId, issued))) throw new AppError('mail_not_sent');
  return presentAccount(app, account);
}

/**
 * Checks the password and mails a code to the new address of the account. Throws AppError wrong_password,
 * invalid_request (the address is the present one), email_taken, code_requested_too_soon, too_many_requests,
 * mail_not_sent.
 */
export async function askEmailChange(
  app: AppContext,
  { accountId, currentPassword, email }: { accountId: number; currentPassword: string; email: string },
): Promise<void> {
  const proof = await proveOwnPassword(app, accountId, currentPassword);
  const owner = await app.db.account.findUnique({ where: { emailKey: emailKeyOf(email) }, select: { id: true } });
  if (owner?.id === accountId) throw new AppError('invalid_request', { message: SAME_EMAIL });
  if (owner) throw new AppError('email_taken');
  const issued = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockProven(tx, proof);
    return issueCode(tx, app.config, { accountId, purpose: 'change_email' }, toStoredEmail(email));
  });
  try {
    await sendEmailChangeCode(app, { to: toStoredEmail(email), code: issued.code });
  } catch (error) {
    app.log.error({ err: error, accountId }, 'mail with the code for another address not sent');
    await withdrawCode(app, issued.id);
    throw new AppError('mail_not_sent');
  }
}

/**
 * Sets the address that the code was mailed to, notifies the former one, and leaves the account only a new session of
 * this browser. Throws AppError invalid_code, code_expired, email_taken.
 */
export async function confirmEmailChange(
  app: AppContext,
  { accountId, code, browser }: { accountId: number; code: string; browser: Browser },
): Promise<{ account: SignedInAccount; session: NewSession }> {
  const outcome = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockAccount(tx, accountId);
    const refusal = await tryCode(tx, app.config, { accountId, purpose: 'change_email', code });
    if (refusal) return refusal;
    const account = await takeNewEmail(app, tx, accountId);
    const session = await startOnlySession(tx, accountId, browser);
    return { account, session };
  }).catch(refuseTakenEmail);
  if (outcome instanceof AppError) throw outcome;
  app.log.info({ action: 'email_changed', accountId }, 'e-mail changed');
  return { account: presentAccount(app, outcome.account), session: outcome.session };
}

async function takeNewEmail(app: AppContext, tx: Tx, accountId: number) {
  const former = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  const { mailedTo: newEmail } = await tx.emailCode.findFirstOrThrow({
    where: { accountId, purpose: 'change_email' },
    orderBy: { createdAt: 'desc' },
  });
  await retireCodes(tx, accountId);
  if (former.email !== null) {
    await app.queue.send(tx, 'send-email-changed-mail', { accountId, formerEmail: former.email });
  }
  return tx.account.update({
    where: { id: accountId },
    data: {
      email: newEmail,
      emailKey: emailKeyOf(newEmail),
    },
  });
}
