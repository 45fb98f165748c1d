import type { Account } from '#prisma/generated/client.ts';

/**
 * The e-mail of an account of the site. Throws for an account of Telegram alone, for which nothing is done that needs
 * an e-mail.
 */
export function getOwnEmail({ email }: Pick<Account, 'email'>): string {
  if (email === null) throw new Error('an account without an e-mail');
  return email;
}
