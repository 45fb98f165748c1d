import { createHmac } from 'node:crypto';
import type { Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';

// Addresses that accounts have given up, by their erasure or for another one: what is kept of them, and what it forbids.

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** No address begins like this, so nobody can sign in to an erased account or register its key. */
const ERASED_PREFIX = 'erased:';

/** Whether an e-mail key is what an erased account has in its place. */
export function isErasedKey(emailKey: string | null): boolean {
  return emailKey?.startsWith(ERASED_PREFIX) ?? false;
}

/**
 * What takes the place of an erased account's e-mail key. Of one that had the sign-up stars it is a keyed hash of the
 * address: the address cannot be read from it, yet whoever registers with it again is known to have had them.
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

/** What an account keeps of the address that it gives up, which has had its sign-up stars: the first one, as a keyed hash. */
export function keepBonusEmail(
  secrets: Secrets,
  account: { emailKey: string | null; bonusEmailHash: string | null },
): string | null {
  return account.bonusEmailHash ?? (account.emailKey === null ? null : hashEmailKey(secrets, account.emailKey));
}

/** Whether an account that was erased since, or has another address now, had the sign-up stars for this address. */
export async function hadBonusBefore(tx: Tx, secrets: Secrets, emailKey: string): Promise<boolean> {
  const hashed = hashEmailKey(secrets, emailKey);
  const former = await tx.account.findFirst({
    where: { OR: [{ emailKey: hashed }, { bonusEmailHash: hashed }] },
    select: { id: true },
  });
  return former !== null;
}

/**
 * The prefix and the label speak of erasure because erased accounts were the first to need the hash. They must not change:
 * none of the stored hashes would be found again.
 */
function hashEmailKey({ sessionSecret }: Secrets, emailKey: string): string {
  return ERASED_PREFIX + createHmac('sha256', sessionSecret).update(`erased-email:${emailKey}`).digest('base64url');
}
