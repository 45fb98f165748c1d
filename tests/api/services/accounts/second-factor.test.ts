import { describe, expect, it, test } from 'vitest';
import {
  computeTotp,
  describeTotp,
  findTotpStep,
  hashRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  openSecret,
  sealSecret,
  stepAt,
} from '#api/services/accounts/second-factor.ts';

const SECRET = Buffer.from('12345678901234567890');
const KEY = 'a-secret-of-more-than-32-characters';

describe('codes of the app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i are those of RFC 6238, appendix B: %s', (seconds, code) => {
    expect(computeTotp(SECRET, stepAt(new Date(seconds * 1000)))).toBe(code);
  });

  it('are taken one step early and one step late, each once and never backwards', () => {
    const now = new Date(1_111_111_111_000);
    const step = stepAt(now);
    for (const offset of [-1, 0, 1]) {
      expect(findTotpStep(SECRET, computeTotp(SECRET, step + offset), 0, now)).toBe(step + offset);
    }
    for (const offset of [-2, 2]) expect(findTotpStep(SECRET, computeTotp(SECRET, step + offset), 0, now)).toBeNull();
    expect(findTotpStep(SECRET, computeTotp(SECRET, step), step, now)).toBeNull();
    expect(findTotpStep(SECRET, computeTotp(SECRET, step - 1), step, now)).toBeNull();
    for (const wrong of ['', '12345', '1234567', 'ABCDEF', '１２３４５６', 'шестьц']) {
      expect(findTotpStep(SECRET, wrong, 0, now), wrong).toBeNull();
    }
  });

  it('are described by an address with the secret in base32', () => {
    const { secret, address } = describeTotp(SECRET, 'boss+1@example.com');
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const url = new URL(address);
    expect(decodeURIComponent(url.pathname)).toBe(
      '//totp/Подиум:boss+1@example.com'.slice(url.pathname.startsWith('//') ? 0 : 6),
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret,
      issuer: 'Подиум',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

test('a stored secret is read with the session secret and by its own account alone', () => {
  const secret = makeTotpSecret();
  const sealed = sealSecret(KEY, 3, secret);
  expect(Buffer.from(sealed).includes(Buffer.from(secret))).toBe(false);
  expect(Buffer.from(openSecret(KEY, 3, sealed))).toEqual(Buffer.from(secret));
  expect(() => openSecret(KEY, 4, sealed)).toThrow();
  expect(() => openSecret(`${KEY}x`, 3, sealed)).toThrow();
});

test('recovery codes are ten different ones, and are told apart whatever their case and hyphens', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
  const [code = ''] = codes;
  const hash = hashRecoveryCode(KEY, 3, code);
  expect(hashRecoveryCode(KEY, 3, ` ${code.toLowerCase().replace('-', '')} `)).toEqual(hash);
  expect(hashRecoveryCode(KEY, 4, code)).not.toEqual(hash);
});
