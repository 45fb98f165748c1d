import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import type { AccountChat, AccountSession, NotificationSettings } from '#shared/contract/settings.ts';
import { lockChat, partChats } from './chats.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { lockAccount } from './email-codes.ts';
import { queuePasswordChangedMail } from './mails.ts';
import { endFormerAccess, hashPassword, isLongEnough, lockProven, proveOwnPassword } from './passwords.ts';
import {
  type Browser,
  endOtherSessions,
  hashToken,
  type NewSession,
  type OwnSession,
  presentAccount,
  removeSessions,
  type SignedInAccount,
  startOnlySession,
} from './sessions.ts';

export async function getNotificationSettings(app: WithDb, accountId: number): Promise<NotificationSettings> {
  return app.db.account.findUniqueOrThrow({ where: { id: accountId }, select: { mailsResults: true } });
}

export async function changeNotificationSettings(
  app: WithDb,
  accountId: number,
  { mailsResults }: { mailsResults?: boolean | undefined },
): Promise<NotificationSettings> {
  const data = mailsResults === undefined ? {} : { mailsResults };
  return app.db.account.update({ where: { id: accountId }, data, select: { mailsResults: true } });
}

export async function changeName(
  app: AppContext,
  { accountId, username }: { accountId: number; username: string },
): Promise<SignedInAccount> {
  return presentAccount(app, await app.db.account.update({ where: { id: accountId }, data: { username } }));
}

/**
 * Sets a new password, opens a new session for this browser and ends every other one of the account. Parts chats unless
 * they are to be kept, because somebody with the former password may have linked one. Throws AppError password_common,
 * password_short, invalid_request for the present one, wrong_password, too_many_requests, unavailable.
 */
export async function changePassword(
  app: AppContext,
  request: {
    accountId: number;
    currentPassword: string;
    newPassword: string;
    keepsChats?: boolean | undefined;
    browser: Browser;
  },
): Promise<{ session: NewSession; passwordHash: string }> {
  const { accountId, currentPassword, newPassword, browser } = request;
  await refuseCommonPassword(app, newPassword, 'newPassword');
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (!isLongEnough(app, account, newPassword)) {
    const { message } = ERRORS.password_short;
    throw new AppError('password_short', { fields: { newPassword: message } });
  }
  const proof = await proveOwnPassword(app, accountId, currentPassword);
  // Otherwise the printed one could stay.
  if (newPassword === currentPassword) {
    const message = 'Придумайте пароль, который отличается от нынешнего';
    throw new AppError('invalid_request', { message, fields: { newPassword: message } });
  }
  const passwordHash = await hashPassword(app, newPassword);
  const session = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockChat(tx, accountId);
    await lockProven(tx, proof);
    await tx.account.update({ where: { id: accountId }, data: { passwordHash, hasPrintedPassword: false } });
    await endFormerAccess(tx, { accountId, keepsChats: request.keepsChats });
    const started = await startOnlySession(tx, accountId, browser);
    await queuePasswordChangedMail(app, tx, accountId);
    return started;
  });
  app.log.info({ action: 'password_changed', accountId }, 'password changed');
  return { session, passwordHash };
}

/** Sessions that have not expired: the caller's own first, then by last use. */
export async function listAccountSessions(app: WithDb, { accountId, token }: OwnSession): Promise<AccountSession[]> {
  const own = token ? hashToken(token) : null;
  const sessions = await app.db.session.findMany({
    where: { accountId, expiresAt: { gt: new Date() } },
    orderBy: { lastSeenAt: 'desc' },
  });
  return sessions
    .map(({ id, userAgent, createdAt, lastSeenAt, tokenHash }) => ({
      id,
      userAgent,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isCurrent: own !== null && Buffer.compare(tokenHash, own) === 0,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

export async function listAccountChats(app: WithDb, accountId: number): Promise<AccountChat[]> {
  const users = await app.db.telegramUser.findMany({ where: { accountId } });
  return users.flatMap(({ username, firstName, linkedAt }) =>
    linkedAt ? [{ username, firstName, linkedAt: linkedAt.toISOString() }] : [],
  );
}

/** Throws AppError session_not_found, session_forbidden. */
export async function endOneSession(app: WithDb, { accountId, id }: { accountId: number; id: string }): Promise<void> {
  requireOwn('session', accountId, await app.db.session.findUnique({ where: { id } }));
  const count = await removeSessions(app.db, { id, accountId });
  if (count === 0) throw new AppError('session_not_found');
}

/** Ends every session of the account but the caller's own, and parts its chats. */
export async function endOtherAccess(app: WithDb, session: OwnSession): Promise<void> {
  await app.db.$transaction(async (tx) => {
    await lockChat(tx, session.accountId);
    await lockAccount(tx, session.accountId);
    await partChats(tx, session.accountId);
    await endOtherSessions(tx, session);
  });
}
