import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { verifyPassword } from './passwords.ts';

/** Throws AppError wrong_password unless it is this account's, too_many_requests, unavailable. */
export async function assertOwnPassword(
  app: Pick<AppContext, 'db' | 'state'>,
  accountId: number,
  password: string,
): Promise<void> {
  const attempts = app.state.rateLimits.ownPassword;
  attempts.count(String(accountId));
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId }, select: { passwordHash: true } });
  if (!(await verifyPassword(app, account.passwordHash, password))) throw new AppError('wrong_password');
  attempts.forget(String(accountId));
}
