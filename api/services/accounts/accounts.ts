import { randomBytes } from 'node:crypto';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { findViolatedConstraint } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { IPV6_SITE, toNetwork } from '#api/services/core/limits.ts';
import { lockChat } from './chats.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { proveConsent } from './consent.ts';
import { emailKeyOf, localPartOf, toStoredEmail } from './email-address.ts';
import { issueCode, lockAccount } from './email-codes.ts';
import { mailVerificationCode, markEmailVerified } from './email-verification.ts';
import { assertMailTaken } from './mail-check.ts';
import { endFormerAccess, hashPassword, isLongEnough, lockProven, verifyPassword } from './passwords.ts';
import {
  type Browser,
  endAllSessions,
  endSession,
  type NewSession,
  presentAccount,
  type SignedInAccount,
  startSession,
} from './sessions.ts';
import { checkSignIn } from './sign-in-limits.ts';

const EMAIL_CONSTRAINT = 'accounts_email_key_key';
const ADMIN_PASSWORD_BYTES = 12;

interface SignIn {
  passwordHash: string | null;
  account: SignedInAccount;
  session: NewSession;
}

/**
 * Creates an account, signs in and mails a verification code. If the mail fails the account stays, and the code can be
 * sent again at once. Throws AppError password_common, email_taken, unavailable, invalid_request for a version of the
 * documents that is not in force, too_many_requests when other accounts had too many codes sent to the address.
 */
export async function registerAccount(
  app: AppContext,
  request: { email: string; password: string; consentVersion: string | null; browser: Browser },
): Promise<SignIn & { codeWasSent: boolean }> {
  const email = toStoredEmail(request.email);
  const emailKey = emailKeyOf(email);
  const consent = proveConsent(request.consentVersion);
  await refuseCommonPassword(app, request.password, 'password');
  await assertMailTaken(app);
  if (await app.db.account.findUnique({ where: { emailKey }, select: { id: true } })) throw new AppError('email_taken');
  const passwordHash = await hashPassword(app, request.password);
  const created = await commitWithOutcomeCheck(app.db, async (tx) => {
    const account = await tx.account.create({
      data: { email, emailKey, passwordHash, username: localPartOf(email), ...consent },
    });
    const session = await startSession(tx, account.id, request.browser);
    const issued = await issueCode(tx, app.config, { accountId: account.id, purpose: 'verify_email' });
    return { account, session, issued };
  })
    // Somebody registered the same e-mail while the password was being hashed.
    .catch(refuseTakenEmail);
  const codeWasSent = await mailVerificationCode(app, created.account.id, created.issued);
  app.log.info({ action: 'login', accountId: created.account.id, method: 'registration' }, 'signed in');
  return { account: presentAccount(app, created.account), session: created.session, passwordHash, codeWasSent };
}

/**
 * Signs in. Answer and duration are the same for a wrong password and an unknown e-mail. Throws AppError
 * invalid_credentials, too_many_requests, unavailable.
 */
export async function logIn(
  app: AppContext,
  request: { email: string; password: string; browser: Browser },
): Promise<SignIn> {
  const emailKey = emailKeyOf(request.email);
  const account = await app.db.account.findUnique({ where: { emailKey } });
  const { browser } = request;
  const verify = () => verifyPassword(app, account?.passwordHash ?? null, request.password);
  // Otherwise one network could fill the queue of hashes, by another e-mail each time.
  const verifyInTurn = () => app.state.semaphores.signInsOfNetwork.run(toNetwork(browser.address, IPV6_SITE), verify);
  const fits = await checkSignIn(app, { emailKey, account, browser }, verifyInTurn);
  const { id, passwordHash } = account ?? {};
  if (!fits || id === undefined || passwordHash == null) throw new AppError('invalid_credentials');
  const { session, signedIn } = await app.state.semaphores.signInsOfAccount.run(id, () =>
    app.db.$transaction(async (tx) => {
      const proven = await lockProven(tx, { accountId: id, passwordHash }, 'invalid_credentials');
      // With another address, too, everybody signs in anew.
      if (proven.emailKey !== emailKey) throw new AppError('invalid_credentials');
      // Somebody who became an administrator with a short password.
      const isTooShort = !isLongEnough(app, proven, request.password);
      const session = await startSession(tx, id, browser);
      const signedIn = isTooShort
        ? await tx.account.update({ where: { id }, data: { hasPrintedPassword: true } })
        : proven;
      return { session, signedIn };
    }),
  );
  app.log.info({ action: 'login', accountId: id, method: 'password' }, 'signed in');
  return { account: presentAccount(app, signedIn), session, passwordHash };
}

export async function logOut(app: AppContext, signedIn: { token: string; accountId: number | null }): Promise<void> {
  await endSession(app.db, signedIn.token);
  if (signedIn.accountId !== null) app.log.info({ action: 'logout', accountId: signedIn.accountId }, 'signed out');
}

/**
 * Creates or renews the first administrator: confirmed e-mail, new password, no second factor, no sessions. The
 * returned password is stored nowhere else. Throws AppError email_taken when somebody else has the e-mail.
 */
export async function createOrRenewAdmin(
  app: Pick<AppContext, 'db' | 'state'> & { config: Pick<AppContext['config'], 'adminUserIds' | 'sessionSecret'> },
  email: string,
): Promise<{ password: string }> {
  const [id] = app.config.adminUserIds;
  if (id === undefined) throw new AppError('forbidden');
  const emailKey = emailKeyOf(email);
  const password = randomBytes(ADMIN_PASSWORD_BYTES).toString('base64url');
  const passwordHash = await hashPassword(app, password);
  await app.db.$transaction(async (tx) => {
    await lockChat(tx, id);
    await lockAccount(tx, id);
    const owner = await tx.account.findUnique({ where: { emailKey }, select: { id: true } });
    if (owner && owner.id !== id) throw new AppError('email_taken');
    const fields = { email: toStoredEmail(email), emailKey, passwordHash, hasPrintedPassword: true };
    await tx.account.upsert({
      where: { id },
      create: { id, ...fields, username: localPartOf(email) },
      update: { ...fields, deletionAskedAt: null, erasedAt: null },
    });
    await endFormerAccess(tx, { accountId: id });
    await markEmailVerified(tx, app.config, { accountId: id, address: null });
    await tx.secondFactor.deleteMany({ where: { accountId: id } });
    await endAllSessions(tx, id);
  });
  return { password };
}

/**
 * Makes the account with this e-mail an administrator, or revokes that, and records it in the audit. Returns false when
 * nothing had to change. Throws AppError account_not_found, forbidden for taking the role from an account whose id the
 * setting names, and email_not_verified, because anybody can register with somebody else's address.
 */
export async function setAdminRole(
  app: WithDb & { config: Pick<AppContext['config'], 'adminUserIds'> },
  email: string,
  isAdmin: boolean,
): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    const account = await tx.account.findUnique({ where: { emailKey: emailKeyOf(email) } });
    if (!account) throw new AppError('account_not_found');
    // The setting makes it one, whatever the row says.
    if (!isAdmin && app.config.adminUserIds.includes(account.id)) throw new AppError('forbidden');
    if (isAdmin && !account.emailVerifiedAt) throw new AppError('email_not_verified');
    const { count } = await tx.account.updateMany({ where: { id: account.id, isAdmin: !isAdmin }, data: { isAdmin } });
    if (count === 0) return false;
    if (!isAdmin) await tx.secondFactor.deleteMany({ where: { accountId: account.id } });
    // Whether the password is long enough for an administrator is found out at the next sign-in.
    else await endAllSessions(tx, account.id);
    const details = { change: isAdmin ? 'granted' : 'revoked' } as const;
    await recordAudit(tx, { adminId: null, action: 'admin_role_changed', accountId: account.id, details });
    return true;
  });
}

/**
 * For a write that sets an account's e-mail. Throws AppError email_taken when another account has it, otherwise the
 * error itself.
 */
export function refuseTakenEmail(error: unknown): never {
  throw findViolatedConstraint(error) === EMAIL_CONSTRAINT ? new AppError('email_taken') : error;
}
