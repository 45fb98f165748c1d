import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isErasedKey } from '#api/services/core/erased-key.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { lockAccount } from './email-codes.ts';
import { lockProven, proveOwnPassword } from './passwords.ts';
import { endOtherSessions, type OwnSession, presentAccount, type SignedInAccount } from './sessions.ts';

/**
 * Records that the owner wants the account deleted, ends every session except the caller's, and sends a mail about what
 * follows. A repeat neither moves the date nor sends another mail. Throws AppError wrong_password, too_many_requests,
 * unavailable.
 */
export async function requestDeletion(
  app: AppContext,
  { password, ...session }: OwnSession & { password: string },
): Promise<SignedInAccount> {
  const { accountId } = session;
  const proof = await proveOwnPassword(app, accountId, password);
  const account = await app.db.$transaction(async (tx) => {
    await lockProven(tx, proof);
    const asked = await tx.account.updateMany({
      where: { id: accountId, deletionAskedAt: null },
      data: { deletionAskedAt: new Date() },
    });
    await endOtherSessions(tx, session);
    if (asked.count === 1) await app.queue.send(tx, 'send-deletion-mail', { accountId });
    await wakeLine(app, tx, accountId);
    return tx.account.findUniqueOrThrow({ where: { id: accountId } });
  });
  app.log.info({ action: 'deletion_asked', accountId }, 'deletion of an account asked');
  return presentAccount(app, account);
}

/** Cancels the deletion. Does nothing when none was requested. Throws AppError unauthorized when it is too late. */
export async function cancelDeletion(app: AppContext, accountId: number): Promise<SignedInAccount> {
  const account = await app.db.$transaction(async (tx) => {
    // The clean-up may be about to remove the data. The lock lets one of the two go first.
    await lockAccount(tx, accountId);
    const { emailKey } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { emailKey: true } });
    if (isErasedKey(emailKey)) throw new AppError('unauthorized');
    return tx.account.update({ where: { id: accountId }, data: { deletionAskedAt: null } });
  });
  app.log.info({ action: 'deletion_taken_back', accountId }, 'deletion of an account taken back');
  return presentAccount(app, account);
}

/** Call this before a purchase: bought stars must not be lost with the account. Throws AppError deletion_asked. */
export async function assertDeletionNotRequested(db: Db | Tx, accountId: number): Promise<void> {
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId }, select: { deletionAskedAt: true } });
  if (account.deletionAskedAt) throw new AppError('deletion_asked');
}

/**
 * Requests the deletion of an account that exists only through Telegram. It has no password and no sessions; whoever
 * writes in the chat owns it. Returns the time of the request, or null for an account of the site, also when this one
 * has been merged into it.
 */
export async function requestDeletionFromTelegram(
  app: Pick<AppContext, 'db' | 'log'>,
  accountId: number,
): Promise<Date | null> {
  // The update itself looks for a merge, because it may have waited for a link.
  const ofChat = { id: accountId, email: null, mergedIntoId: null };
  await app.db.account.updateMany({
    where: { ...ofChat, deletionAskedAt: null },
    data: { deletionAskedAt: new Date() },
  });
  const account = await app.db.account.findFirst({ where: ofChat });
  if (!account) return null;
  app.log.info({ action: 'deletion_asked', accountId }, 'deletion of an account asked');
  return account.deletionAskedAt;
}
