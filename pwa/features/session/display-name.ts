import type { User } from '#shared/contract/account.ts';

type Named = Pick<User, 'username' | 'email' | 'firstName' | 'lastName'>;

/** First and last name, else the username, else the e-mail up to the @. */
export function displayName({ firstName, lastName, username, email }: Named): string {
  const fullName = [firstName, lastName].filter(Boolean).join(' ');
  return fullName || username || (email.split('@')[0] ?? '');
}

/** The first two letters in upper case. */
export function initials(name: string): string {
  return [...name].slice(0, 2).join('').toUpperCase();
}
