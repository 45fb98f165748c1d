import type { Account } from '#prisma/generated/client.ts';

/**
 * The e-mail of an account of the site. Throws for an account that exists only through Telegram. Callers need an e-mail
 * and never get such an account.
 */
export function getOwnEmail({ email }: Pick<Account, 'email'>): string {
  if (email === null) throw new Error('an account without an e-mail');
  return email;
}
