import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { isSameSecret } from '#api/platform/same-secret.ts';

/** RFC 6238 as every authenticator app knows it: SHA-1, 30 seconds, six digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks of phones differ by this many steps. */
const SKEW_STEPS = 1;

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function makeTotpSecret(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(SECRET_BYTES));
}

export function computeTotp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / STEP_SECONDS);
}

/** The step whose code this is, near `now` and after `lastStep`, because a code is used once. Null for a wrong code. */
export function findTotpStep(secret: Uint8Array, code: string, lastStep: number, now = new Date()): number | null {
  const current = stepAt(now);
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step++) {
    if (step > lastStep && isSameSecret(code, computeTotp(secret, step))) return step;
  }
  return null;
}

export function describeTotp(secret: Uint8Array, account: string): { secret: string; address: string } {
  const text = toBase32(secret);
  const label = encodeURIComponent(`Подиум:${account}`);
  const parameters = new URLSearchParams({ secret: text, issuer: 'Подиум', algorithm: 'SHA1', digits: `${DIGITS}` });
  // Apps do not read a plus as a space.
  const query = `${parameters}&period=${STEP_SECONDS}`.replaceAll('+', '%20');
  return { secret: text, address: `otpauth://totp/${label}?${query}` };
}

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = toBase32(randomBytes(RECOVERY_LENGTH)).slice(0, RECOVERY_LENGTH);
    return `${text.slice(0, RECOVERY_LENGTH / 2)}-${text.slice(RECOVERY_LENGTH / 2)}`;
  });
}

/** The form in which the database stores a recovery code. Case, blanks and hyphens do not matter. */
export function hashRecoveryCode(sessionSecret: string, accountId: number, code: string): Uint8Array<ArrayBuffer> {
  const plain = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  const key = deriveKey(sessionSecret, 'recovery codes');
  return new Uint8Array(createHmac('sha256', key).update(`${accountId} ${plain}`).digest());
}

/** Encrypts a secret for one account. A copy of the database alone cannot read it. */
export function sealSecret(sessionSecret: string, accountId: number, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(sessionSecret, 'totp secrets'), iv);
  cipher.setAAD(Buffer.from(String(accountId)));
  return new Uint8Array(Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]));
}

export function canOpenSecret(sessionSecret: string, accountId: number, sealed: Uint8Array): boolean {
  try {
    openSecret(sessionSecret, accountId, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Throws when the session secret is another one or the row belongs to another account. */
export function openSecret(sessionSecret: string, accountId: number, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv(
    'aes-256-gcm',
    deriveKey(sessionSecret, 'totp secrets'),
    bytes.subarray(0, IV_BYTES),
  );
  decipher.setAAD(Buffer.from(String(accountId)));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

function deriveKey(sessionSecret: string, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', sessionSecret, '', `podium ${use}`, 32));
}

/** RFC 4648, without padding. */
function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
