import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '#api/services/accounts/passwords.ts';
import { createProcessState } from '#api/services/core/process-state.ts';

const server = { state: createProcessState() };

it('a password is kept as Argon2id of 19 MiB, two passes, one lane, with a salt of its own', async () => {
  const [first, second] = [await hashPassword(server, 'пароль'), await hashPassword(server, 'пароль')];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(first).not.toBe(second);
});

it('only the same password fits', async () => {
  const stored = await hashPassword(server, 'пароль');
  expect(await verifyPassword(server, stored, 'пароль')).toBe(true);
  expect(await verifyPassword(server, stored, 'Пароль')).toBe(false);
});

it('without an account nothing fits', async () => {
  expect(await verifyPassword(server, null, 'пароль')).toBe(false);
  expect(await verifyPassword(server, null, '')).toBe(false);
});

it('requests past the queue are told to come back, and all in the queue are served', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => hashPassword(server, 'a')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'unavailable', extra: { retryAfter: 5 } });
  expect(await hashPassword(server, 'a')).toContain('$argon2id$');
});
