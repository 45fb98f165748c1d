import { expect, test } from 'vitest';
import { chooseInstallWay } from '#pwa/features/installation/installation.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Mobile/15E148 Safari/604.1';
const choose = (facts: Partial<Parameters<typeof chooseInstallWay>[0]>) =>
  chooseInstallWay({ isStandalone: false, hasPrompt: false, userAgent: '', maxTouchPoints: 0, ...facts });

test('the app is installed by a button where the browser can, by steps in Safari on iOS, and once', () => {
  expect(choose({ hasPrompt: true })).toBe('button');
  expect(choose({ userAgent: IPHONE })).toBe('ios');
  expect(choose({ userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X) Safari/605', maxTouchPoints: 5 })).toBe('ios');
  expect(choose({ userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X) Safari/605' })).toBe('none');
  expect(choose({ userAgent: `${IPHONE} CriOS/130` })).toBe('none');
  expect(choose({ userAgent: IPHONE, isStandalone: true })).toBe('none');
  expect(choose({ hasPrompt: true, isStandalone: true })).toBe('none');
});
