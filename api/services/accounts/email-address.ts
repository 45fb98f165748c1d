import { domainToASCII, domainToUnicode } from 'node:url';
import type { Account } from '#prisma/generated/client.ts';

// A domain such as пример.рф has two forms. Accounts keep the one in ASCII, which mail servers and providers of payments
// take; people see the other one.

/** The form of an address that is stored and that mail is sent to. */
export function toStoredEmail(email: string): string {
  const [local, domain] = split(email.trim());
  const isAscii = !/[^\u0020-\u007e]/.test(domain);
  return isAscii ? email.trim() : `${local}@${domainToASCII(domain) || domain}`;
}

export function toShownEmail(email: string): string {
  const [local, domain] = split(email);
  return /(?:^|\.)xn--/i.test(domain) ? `${local}@${domainToUnicode(domain) || domain}` : email;
}

/** E-mails compare without case, and a domain in either form is one. */
export function emailKeyOf(email: string): string {
  return toStoredEmail(email).toLowerCase();
}

export function localPartOf(email: string): string {
  return email.trim().split('@', 1)[0] ?? email;
}

/**
 * The e-mail of an account of the site. Throws for an account that exists only through Telegram. Callers need an e-mail
 * and never get such an account.
 */
export function getOwnEmail({ email }: Pick<Account, 'email'>): string {
  if (email === null) throw new Error('an account without an e-mail');
  return email;
}

function split(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, Math.max(0, at)), email.slice(at + 1)];
}
