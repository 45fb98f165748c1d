import { createHash, timingSafeEqual } from 'node:crypto';

/** A message of T-Bank, or to it, with its numbers as they are written: an id may have more digits than a number holds. */
export type Message = Record<string, unknown>;

/** Null for what is no JSON object. */
export function parseMessage(text: string): Message | null {
  // Node hands the reviver the source of a number, which TypeScript does not know of yet.
  const keepNumbers = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    const parsed: unknown = JSON.parse(text, keepNumbers);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Message) : null;
  } catch {
    return null;
  }
}

/**
 * The signature of a message: SHA-256 of its own values and the password, in the order of their names. What has values of
 * its own (Receipt, DATA) does not take part, nor does what is null, nor the signature itself.
 */
export function signMessage(message: Message, password: string): string {
  const values = Object.entries({ ...message, Password: password })
    .filter(([name, value]) => name !== 'Token' && value !== null && value !== undefined && typeof value !== 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => String(value));
  return createHash('sha256').update(values.join('')).digest('hex');
}

/** Whether a message is signed with the password. */
export function isSigned(message: Message, password: string): boolean {
  const [given, expected] = [Buffer.from(String(message.Token)), Buffer.from(signMessage(message, password))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
