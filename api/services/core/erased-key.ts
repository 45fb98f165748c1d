/** No address begins like this, so nobody can sign in to an erased account or register its key. */
const ERASED_PREFIX = 'erased:';

export function isErasedKey(emailKey: string | null): boolean {
  return emailKey?.startsWith(ERASED_PREFIX) ?? false;
}

export function chooseErasedKey(accountId: number): string {
  return `${ERASED_PREFIX}${accountId}`;
}
