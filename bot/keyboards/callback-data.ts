import { createHash } from 'node:crypto';

/** Telegram's limit for the data of a button, in bytes. */
const MAX_BYTES = 64;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The data of a button: its action and everything it needs, so that it works in a message of any age. */
export function writeCallback(action: string, ...parts: (string | number)[]): string {
  const data = [action, ...parts].join(':');
  if (Buffer.byteLength(data) > MAX_BYTES) throw new Error(`a button cannot carry ${data}`);
  return data;
}

export function shortenUuid(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Decodes a UUID. An invalid text becomes a UUID that does not exist. */
export function restoreUuid(short = ''): string {
  const hex = Buffer.from(short, 'base64url').toString('hex').padEnd(32, '0').slice(0, 32);
  return hex.replace(UUID_PARTS, '$1-$2-$3-$4-$5');
}

export function shortenId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 8);
}
