import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { lockAccount } from './email-codes.ts';
import { isErasedKey } from './former-email.ts';
import { assertOwnPassword } from './passwords.ts';
import { presentAccount, type SignedInAccount } from './sessions.ts';
import { endOtherSessions, type OwnSession } from './settings.ts';

/**
 * Notes that the owner wants the account deleted, ends every session but the caller's and has a mail sent that says what
 * follows. Asking again neither moves the date nor mails again. Throws AppError wrong_password, too_many_requests,
 * unavailable.
 */
export async function requestDeletion(
  app: AppContext,
  { password, ...session }: OwnSession & { password: string },
): Promise<SignedInAccount> {
  const { accountId } = session;
  await assertOwnPassword(app, accountId, password);
  const account = await app.db.$transaction(async (tx) => {
    const asked = await tx.account.updateMany({
      where: { id: accountId, deletionAskedAt: null },
      data: { deletionAskedAt: new Date() },
    });
    await endOtherSessions(tx, session);
    if (asked.count === 1) await app.queue.send(tx, 'send-deletion-mail', { accountId });
    return tx.account.findUniqueOrThrow({ where: { id: accountId } });
  });
  app.log.info({ action: 'deletion_asked', accountId }, 'deletion of an account asked');
  return presentAccount(app, account);
}

/** The account stays. Nothing happens when nobody asked to delete it. Throws AppError unauthorized when it is too late. */
export async function cancelDeletion(app: AppContext, accountId: number): Promise<SignedInAccount> {
  const account = await app.db.$transaction(async (tx) => {
    // The clean-up may be about to remove the data: one of the two comes first.
    await lockAccount(tx, accountId);
    const { emailKey } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { emailKey: true } });
    if (isErasedKey(emailKey)) throw new AppError('unauthorized');
    return tx.account.update({ where: { id: accountId }, data: { deletionAskedAt: null } });
  });
  app.log.info({ action: 'deletion_taken_back', accountId }, 'deletion of an account taken back');
  return presentAccount(app, account);
}

/**
 * To be called before an account starts or buys something: neither a result nor bought stars should go away with it, and
 * nothing may be under way when its data are removed. Throws AppError deletion_asked.
 */
export async function assertDeletionNotRequested(db: Db | Tx, accountId: number): Promise<void> {
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId }, select: { deletionAskedAt: true } });
  if (account.deletionAskedAt) throw new AppError('deletion_asked');
}

/**
 * The same for an account that came by Telegram alone, which has neither password nor sessions: whoever writes in the chat
 * is its owner. Returns when it was asked. Throws AppError forbidden for an account of the site.
 */
export async function requestDeletionFromTelegram(
  app: Pick<AppContext, 'db' | 'log'>,
  accountId: number,
): Promise<Date> {
  await app.db.account.updateMany({
    where: { id: accountId, email: null, deletionAskedAt: null },
    data: { deletionAskedAt: new Date() },
  });
  const { email, deletionAskedAt } = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (email !== null || !deletionAskedAt) throw new AppError('forbidden');
  app.log.info({ action: 'deletion_asked', accountId }, 'deletion of an account asked');
  return deletionAskedAt;
}
