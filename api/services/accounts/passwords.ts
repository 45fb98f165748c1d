import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { checkWithinLimit } from '#api/services/core/limits.ts';
import type { Account } from '#prisma/generated/client.ts';
import { ADMIN_PASSWORD_MIN_LENGTH } from '#shared/contract/account.ts';
import { partChats } from './chats.ts';
import { lockAccount } from './email-codes.ts';

/** Somebody gave the password of the account when this was its hash. */
export interface PasswordProof {
  accountId: number;
  passwordHash: string;
}

/** The hash to store: Argon2id, the library's default. Throws AppError unavailable when too many calls wait. */
export function hashPassword(app: Pick<AppContext, 'state'>, password: string): Promise<string> {
  return app.state.semaphores.passwordHashing.run(() => hash(password, app.state.passwordCost));
}

/**
 * Whether the password is right. Without a hash (no such account) it does the same work and returns false. Throws
 * AppError unavailable when too many calls wait.
 */
export function verifyPassword(
  app: Pick<AppContext, 'state'>,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  return app.state.semaphores.passwordHashing.run(async () => {
    const fits = await verify(passwordHash ?? (await app.state.decoyPasswordHash), password);
    return fits && passwordHash !== null;
  });
}

/**
 * Checks the password of an account. What it allows is written after `lockProven`. Throws AppError wrong_password,
 * too_many_requests, unavailable.
 */
export async function proveOwnPassword(
  app: Pick<AppContext, 'db' | 'state' | 'config'>,
  accountId: number,
  password: string,
): Promise<PasswordProof> {
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId }, select: { passwordHash: true } });
  const fits = await checkWithinLimit(app, LIMITS.ownPassword, String(accountId), () =>
    verifyPassword(app, account.passwordHash, password),
  );
  if (!fits || account.passwordHash === null) throw new AppError('wrong_password');
  return { accountId, passwordHash: account.passwordHash };
}

/**
 * Locks the account. Call it in the transaction that writes what a password allows, before another lock of the account:
 * whoever proved the former password gets nothing once there is another. Throws AppError wrong_password, or `refusal`.
 */
export async function lockProven(
  tx: Tx,
  { accountId, passwordHash }: PasswordProof,
  refusal: 'wrong_password' | 'invalid_credentials' = 'wrong_password',
): Promise<Account> {
  await lockAccount(tx, accountId);
  const account = await tx.account.findUnique({ where: { id: accountId, passwordHash } });
  if (!account) throw new AppError(refusal);
  return account;
}

export function isLongEnough(
  { config }: { config: Pick<AppContext['config'], 'adminUserIds'> },
  account: Pick<Account, 'id' | 'isAdmin'>,
  password: string,
): boolean {
  const isAdmin = account.isAdmin || config.adminUserIds.includes(account.id);
  return !isAdmin || password.length >= ADMIN_PASSWORD_MIN_LENGTH;
}

/**
 * Call this with a new password, after `lockChat`: somebody else may have known the former one. Voids open links to a
 * chat, an open change of the e-mail and an unconfirmed second factor. Sessions are for the caller to end.
 */
export async function endFormerAccess(
  tx: Tx,
  { accountId, keepsChats = false }: { accountId: number; keepsChats?: boolean | undefined },
): Promise<void> {
  await tx.emailCode.updateMany({
    where: { accountId, purpose: 'change_email', usedAt: null },
    data: { usedAt: new Date() },
  });
  await tx.secondFactor.deleteMany({ where: { accountId, confirmedAt: null } });
  if (keepsChats) await tx.linkToken.deleteMany({ where: { accountId } });
  else await partChats(tx, accountId);
}
