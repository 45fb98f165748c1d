import { devices, type PlaywrightTestConfig } from 'playwright/test';

export const DESKTOP = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };
// Drawn without a GPU. A phone's pixel density would mean seven times the pixels and show nothing more.
export const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

/** For a test of the slow suites. */
export const SLOW_TIMEOUT_MS = 180_000;

/** What the browser tests of all programs share. `npm test` finds the browser. */
export const BROWSER_TESTS = {
  timeout: 60_000,
  // A small machine is slow while it renders or does other work.
  expect: { timeout: 30_000 },
  // On CI a failed test runs once more, because a browser may be slow once. `npm test` lists such tests.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  use: {
    locale: 'ru-RU',
    // A service worker would answer calls that a test answers itself. The tests in `pwa` test the worker and allow it.
    serviceWorkers: 'block',
    // An impossible press fails with its own message before the whole test times out.
    actionTimeout: 30_000,
    trace: 'on-first-retry',
    launchOptions: {
      ...(process.env.BROWSER_PATH ? { executablePath: process.env.BROWSER_PATH } : {}),
      // Where the machine has no such locale, Chromium calls a file with a Russian name «download».
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      // Chromium's sandbox does not work as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
} satisfies PlaywrightTestConfig;

/** How Playwright waits for a program to start, and stops it. */
export const PROGRAM_LIFE = {
  timeout: 200_000,
  gracefulShutdown: { signal: 'SIGINT', timeout: 10_000 },
} as const;
