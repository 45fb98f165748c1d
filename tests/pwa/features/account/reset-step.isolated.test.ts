import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { noteCodeRefused, noteCodeSent, noteCodeUnsent, readResendWait } from '#pwa/features/account/code-resend.ts';
import { purgeDevice } from '#pwa/features/account/device-data.ts';
import { forgetResetStep, readResetStep, rememberResetStep } from '#pwa/features/account/reset-step.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';
import { openFakePage } from '#tests/support/fake-page.ts';

let kept: Map<string, string>;
beforeEach(() => {
  kept = openFakePage().keptByTab;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a reload goes on with the address that the code was mailed to, for as long as the code works', () => {
  expect(readResetStep()).toBeNull();
  rememberResetStep('anna@example.com');
  expect(readResetStep()).toBe('anna@example.com');
  vi.advanceTimersByTime(10 * 60_000);
  expect([readResetStep(), kept.size]).toEqual([null, 0]);
});

it('a password that is set, or another address, ends the step', () => {
  rememberResetStep('anna@example.com');
  forgetResetStep();
  expect(readResetStep()).toBeNull();
});

it.each(['nonsense', '{"email":1}', 'null'])('%s in the storage is nothing', (text) => {
  kept.set('podium.passwordReset', text);
  expect(readResetStep()).toBeNull();
});

it('the wait for another code outlives a reload, which empties everything but the storage', async () => {
  const code = { purpose: 'verify_email', email: 'anna@example.com' } as const;
  noteCodeSent(code);
  vi.advanceTimersByTime(20_000);
  vi.resetModules();
  const { readResendWait } = await import('#pwa/features/account/code-resend.ts');
  expect(readResendWait(code)).toBe(40);
  vi.advanceTimersByTime(40_000);
  expect([readResendWait(code), kept.size]).toEqual([0, 0]);
});

it('only the address that a code went to has to wait, and for the same purpose', () => {
  noteCodeSent({ purpose: 'verify_email', email: 'anna@exmaple.com' });
  expect(readResendWait({ purpose: 'verify_email', email: ' Anna@Exmaple.com' })).toBe(60);
  expect(readResendWait({ purpose: 'verify_email', email: 'anna@example.com' })).toBe(0);
  expect(readResendWait({ purpose: 'reset_password', email: 'anna@exmaple.com' })).toBe(0);
});

it('a refusal that passes starts the wait that the server names, however long', () => {
  const code = { purpose: 'verify_email', email: 'anna@example.com' } as const;
  noteCodeRefused(code, new ApiError(429, '', { code: 'too_many_requests', retryAfter: 1800 }));
  expect(readResendWait(code)).toBe(1800);
  noteCodeRefused(code, new ApiError(503, '', { code: 'unavailable', retryAfter: 5 }));
  expect(readResendWait(code)).toBe(1800);
});

it('the address of a wait that is over stays no longer than until the next code is mailed', () => {
  noteCodeSent({ purpose: 'verify_email', email: 'anna@exmaple.com' });
  vi.advanceTimersByTime(30_000);
  noteCodeSent({ purpose: 'verify_email', email: 'anna@example.com' });
  expect(kept.size).toBe(2);
  vi.advanceTimersByTime(30_000);
  noteCodeSent({ purpose: 'reset_password', email: 'anna@example.com' });
  expect([...kept.keys()].join()).not.toContain('exmaple');
  expect(readResendWait({ purpose: 'verify_email', email: 'anna@example.com' })).toBe(30);
});

it('no address that a code was mailed to outlives a sign-out in the tab', async () => {
  vi.stubGlobal('indexedDB', createFakeIndexedDb());
  vi.useRealTimers();
  kept.set('podium.another', '1');
  noteCodeSent({ purpose: 'verify_email', email: 'anna@exmaple.com' });
  noteCodeSent({ purpose: 'change_email', email: 'anna@example.com' });
  noteCodeUnsent({ purpose: 'verify_email', email: 'anna@example.com' });
  await purgeDevice(null);
  expect([...kept.keys()]).toEqual(['podium.another']);
});
