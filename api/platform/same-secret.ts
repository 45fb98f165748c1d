import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a text is the secret one, in a time that does not tell how much of it is right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** Makes the lengths equal. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
