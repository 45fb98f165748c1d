import { createHmac } from 'node:crypto';
import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { IPV6_SITE, toNetwork, tryToConsume } from '#api/services/core/limits.ts';
import { grantSignupBonus } from '#api/services/stars/ledger.ts';
import type { SignupStarsRefusal } from '#shared/contract/account.ts';

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** Providers of which several addresses are one mailbox, by their own words. */
const PROVIDERS: { domains: string[]; fold: (local: string) => string }[] = [
  { domains: ['gmail.com', 'googlemail.com'], fold: (local) => local.replaceAll('.', '') },
  // A dot and a hyphen are the same.
  {
    domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'narod.ru'],
    fold: (local) => local.replaceAll('-', '.'),
  },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], fold: (local) => local.replaceAll(/[._-]/g, '') },
  { domains: ['icloud.com', 'me.com', 'mac.com'], fold: (local) => local },
];

/**
 * Gives a new account its stars, once a mailbox, whoever has owned it since. `address`: where the person calls from;
 * null for an operator. Returns why there were none, or null.
 */
export async function grantSignupStars(
  tx: Tx,
  secrets: Secrets,
  { accountId, emailKey, address }: { accountId: number; emailKey: string; address: string | null },
): Promise<SignupStarsRefusal | null> {
  if (!(await noteMailbox(tx, secrets, emailKey))) return 'mailbox';
  const counting = { db: tx, config: secrets };
  if (address !== null && !(await tryToConsume(counting, LIMITS.signupStars, toNetwork(address, IPV6_SITE)))) {
    await tx.signupMailbox.delete({ where: { key: hashMailbox(secrets, emailKey) } });
    return 'network';
  }
  await grantSignupBonus(tx, accountId);
  return null;
}

/**
 * Notes that a mailbox had its stars, also when they came by a linked chat. Only a keyed hash is kept, and it stays
 * when the account is erased. Returns false when it was noted before.
 */
export async function noteMailbox(tx: Tx, secrets: Secrets, emailKey: string): Promise<boolean> {
  const { count } = await tx.signupMailbox.createMany({
    data: { key: hashMailbox(secrets, emailKey) },
    skipDuplicates: true,
  });
  return count === 1;
}

function hashMailbox({ sessionSecret }: Secrets, emailKey: string): string {
  return createHmac('sha256', sessionSecret)
    .update(`signup-mailbox:${foldMailbox(emailKey)}`)
    .digest('base64url');
}

/** The mailbox behind an address: what follows a «+» is a note of its owner, and some providers take several spellings. */
export function foldMailbox(emailKey: string): string {
  const at = emailKey.lastIndexOf('@');
  const domain = emailKey.slice(at + 1);
  const plus = emailKey.slice(0, at).indexOf('+', 1);
  const local = emailKey.slice(0, plus === -1 ? at : plus);
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  return provider ? `${provider.fold(local)}@${provider.domains[0]}` : `${local}@${domain}`;
}
