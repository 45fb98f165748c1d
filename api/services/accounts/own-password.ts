import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { AttemptLimiter } from '#api/services/ground/rate-limiter.ts';
import { verifyPassword } from './passwords.ts';

/** Wrong current passwords of one account: whoever borrows an open session must not guess through the password. */
const attempts = new AttemptLimiter({ max: 10, windowMs: 15 * 60_000 });

/** Throws AppError wrong_password unless it is this account's, too_many_requests, unavailable. */
export async function assertOwnPassword(
  app: Pick<AppContext, 'db'>,
  accountId: number,
  password: string,
): Promise<void> {
  attempts.count(String(accountId));
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId }, select: { passwordHash: true } });
  if (!(await verifyPassword(account.passwordHash, password))) throw new AppError('wrong_password');
  attempts.forget(String(accountId));
}
