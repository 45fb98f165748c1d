import { createHmac } from 'node:crypto';
import type { Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';

// Addresses that accounts have given up, by erasure or by a change: what is stored of them, and what they must not be
// used for.

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** No address begins like this, so nobody can sign in to an erased account or register its key. */
const ERASED_PREFIX = 'erased:';

/** Whether an e-mail key belongs to an erased account. */
export function isErasedKey(emailKey: string | null): boolean {
  return emailKey?.startsWith(ERASED_PREFIX) ?? false;
}

/**
 * The key that replaces the e-mail key of an erased account. If the account had the sign-up stars, it is a keyed hash
 * of the address: nobody can read the address from it, but a new registration with the address is recognised.
 */
export async function chooseErasedKey(
  tx: Tx,
  secrets: Secrets,
  account: { id: number; emailKey: string | null },
): Promise<string> {
  const forgotten = `${ERASED_PREFIX}${account.id}`;
  if (account.emailKey === null) return forgotten;
  const hashed = hashEmailKey(secrets, account.emailKey);
  const bonus = await tx.starEntry.findFirst({
    where: { account: { OR: [{ id: account.id }, { mergedIntoId: account.id }] }, kind: 'signup_bonus' },
  });
  const isFree = (await tx.account.findUnique({ where: { emailKey: hashed }, select: { id: true } })) === null;
  return bonus && isFree ? hashed : forgotten;
}

/**
 * The keyed hash that an account keeps when it gives up the address for which it got the sign-up stars. Only the first
 * such address is kept.
 */
export function keepBonusEmail(
  secrets: Secrets,
  account: { emailKey: string | null; bonusEmailHash: string | null },
): string | null {
  return account.bonusEmailHash ?? (account.emailKey === null ? null : hashEmailKey(secrets, account.emailKey));
}

/** Whether an account that has since been erased or changed its address got the sign-up stars for this address. */
export async function hadBonusBefore(tx: Tx, secrets: Secrets, emailKey: string): Promise<boolean> {
  const hashed = hashEmailKey(secrets, emailKey);
  const former = await tx.account.findFirst({
    where: { OR: [{ emailKey: hashed }, { bonusEmailHash: hashed }] },
    select: { id: true },
  });
  return former !== null;
}

/**
 * The prefix and the label mention erasure because erased accounts were the first to need the hash. Do not change them,
 * or the stored hashes would no longer match.
 */
function hashEmailKey({ sessionSecret }: Secrets, emailKey: string): string {
  return ERASED_PREFIX + createHmac('sha256', sessionSecret).update(`erased-email:${emailKey}`).digest('base64url');
}
