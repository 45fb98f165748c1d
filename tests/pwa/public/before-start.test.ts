import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { LEAVING_COOKIE, SIGNED_IN_COOKIE } from '#shared/rules/session.ts';

const SCRIPT = readFileSync('pwa/public/before-start.js', 'utf8');
const MARKER = JSON.stringify({ userId: 1000, name: 'Анна' });
const THEMES = [
  { stored: null, prefersDark: false, theme: 'light' },
  { stored: null, prefersDark: true, theme: 'dark' },
  { stored: 'light', prefersDark: true, theme: 'light' },
  { stored: 'dark', prefersDark: false, theme: 'dark' },
  { stored: 'nonsense', prefersDark: true, theme: 'dark' },
] as const;

interface Browser {
  stored?: Record<string, string> | 'forbidden';
  prefersDark?: boolean;
  cookie?: string;
  pathname?: string;
}

/** Runs the script as a browser would, up to the first paint, and returns its effects. */
function runBeforeStart({ stored = {}, prefersDark = false, cookie = '', pathname = '/cases' }: Browser) {
  const dataset: Record<string, string> = {};
  const done = { dataset, themeColor: '', movedTo: null as string | null, paint: () => {} };
  runInNewContext(SCRIPT, {
    localStorage: {
      getItem: (key: string) => {
        if (stored === 'forbidden') throw new Error('SecurityError');
        return stored[key] ?? null;
      },
    },
    location: { pathname, replace: (to: string) => (done.movedTo = to) },
    matchMedia: () => ({ matches: prefersDark }),
    // Only the timer without a delay runs: the other one is for tabs that never paint.
    setTimeout: (action: () => void, delayMs?: number) => delayMs === undefined && action(),
    PerformanceObserver: class {
      constructor(onPaint: () => void) {
        done.paint = onPaint;
      }
      observe() {}
    },
    document: {
      cookie,
      currentScript: { dataset: {} },
      fonts: { ready: Promise.resolve() },
      documentElement: { dataset },
      querySelector: () => ({ setAttribute: (_: string, value: string) => (done.themeColor = value) }),
    },
  });
  return done;
}

describe('before the first paint', () => {
  test.each(THEMES)('theme $stored on a device that prefers dark: $prefersDark is $theme', (given) => {
    const stored: Record<string, string> = given.stored ? { 'podium.theme': given.stored } : {};
    const { dataset, themeColor } = runBeforeStart({ stored, prefersDark: given.prefersDark });
    expect(dataset.theme).toBe(given.theme);
    expect(themeColor).toBe(given.theme === 'dark' ? '#1c1b1e' : '#ffffff');
  });

  test('the theme is shown even where storage is forbidden, to somebody who counts as a visitor', () => {
    const { dataset, movedTo } = runBeforeStart({ stored: 'forbidden', prefersDark: true, pathname: '/' });
    expect(dataset.theme).toBe('dark');
    expect(dataset).not.toHaveProperty('signedIn');
    expect(movedTo).toBeNull();
  });

  test('signed-in people are redirected from the landing page to the app', () => {
    expect(runBeforeStart({ stored: { 'podium.session': MARKER }, pathname: '/' }).movedTo).toBe('/app');
    expect(runBeforeStart({ pathname: '/' }).movedTo).toBeNull();
  });

  test('other public pages are marked for signed-in people, so that parts for visitors are hidden', () => {
    const { dataset, movedTo } = runBeforeStart({ stored: { 'podium.session': MARKER } });
    expect(dataset).toHaveProperty('signedIn');
    expect(movedTo).toBeNull();
    expect(runBeforeStart({}).dataset).not.toHaveProperty('signedIn');
  });

  test('the session cookie counts when the browser has dropped the page’s storage', () => {
    const cookie = `theme=1; ${SIGNED_IN_COOKIE}=1`;
    expect(runBeforeStart({ cookie, pathname: '/' }).movedTo).toBe('/app');
    expect(runBeforeStart({ cookie }).dataset).toHaveProperty('signedIn');
    expect(runBeforeStart({ cookie: `not_${SIGNED_IN_COOKIE}=1`, pathname: '/' }).movedTo).toBeNull();
  });

  test('a person who has signed out is a visitor even before the server has confirmed it', () => {
    const cookie = `${SIGNED_IN_COOKIE}=1`;
    const leaving: Browser[] = [
      { stored: { 'podium.session': MARKER, 'podium.logoutPending': '1' }, cookie },
      { stored: { 'podium.session': MARKER }, cookie: `${cookie}; ${LEAVING_COOKIE}=1` },
      { cookie: `${LEAVING_COOKIE}=1; ${cookie}` },
    ];
    for (const left of leaving) {
      const { dataset, movedTo } = runBeforeStart({ ...left, pathname: '/' });
      expect(movedTo).toBeNull();
      expect(dataset).not.toHaveProperty('signedIn');
    }
  });

  test('code that waits for the first paint is loaded after it', async () => {
    const { dataset, paint } = runBeforeStart({});
    expect(dataset).not.toHaveProperty('painted');
    paint();
    await setImmediate();
    expect(dataset).toHaveProperty('painted');
  });
});
