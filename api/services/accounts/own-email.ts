import type { Account } from '#prisma/generated/client.ts';

/** The e-mail of an account of the site. Throws for one that came by Telegram alone: nothing that needs an e-mail happens to it. */
export function getOwnEmail({ email }: Pick<Account, 'email'>): string {
  if (email === null) throw new Error('an account without an e-mail');
  return email;
}
