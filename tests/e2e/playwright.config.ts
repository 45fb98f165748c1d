import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, devices } from 'playwright/test';
import { preparePushService } from './push-service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PORT = Number(process.env.E2E_PORT ?? 4190);
const url = `http://localhost:${PORT}`;
// The configuration is read by every worker; the folder must be the same for all.
process.env.E2E_DATA_DIR ??= mkdtempSync(path.join(tmpdir(), 'podium-e2e-'));
const push = await preparePushService(process.env.E2E_DATA_DIR, PORT);

const INSTALLED_APP = 'pwa/**/*.spec.ts';
const ACCESSIBILITY = 'accessibility.spec.ts';
/** These take many minutes: waits for service workers and updates; every page at every width in both themes. */
const SLOW = [INSTALLED_APP, ACCESSIBILITY];
const DESKTOP = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

/** Runs the real program on its embedded parts, and a browser at both sizes. `npm test` finds the browser. */
export default defineConfig({
  testDir: '.',
  outputDir: path.join(ROOT, 'test-results'),
  timeout: 300_000,
  // A small machine is slow while it renders or does other work.
  expect: { timeout: 60_000 },
  // One worker for each core of a small machine. Tests do not share accounts.
  workers: 2,
  // On CI a failed test runs once more, because a browser may be slow once. `npm test` lists such tests.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  use: {
    baseURL: url,
    locale: 'ru-RU',
    // A service worker would answer calls that a test answers itself. The tests in `pwa` test the worker and allow it.
    serviceWorkers: 'block',
    // An impossible press fails with its own message before the whole test times out.
    actionTimeout: 60_000,
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.BROWSER_PATH || undefined,
      // Chromium's sandbox does not work as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [
    // A test that does not depend on the layout runs at one size: `@once` or `@phone`.
    { name: 'desktop', testIgnore: SLOW, grepInvert: /@phone/, use: DESKTOP },
    {
      name: 'phone',
      testIgnore: SLOW,
      grepInvert: /@once/,
      // Drawn without a GPU. A phone's pixel density would mean seven times the pixels and show nothing more.
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
    },
    // `npm run test:pwa` and `npm run test:accessibility`.
    // One worker, because these tests wait for updates and pushes. The channel picks Playwright's whole browser.
    { name: 'installed', testMatch: INSTALLED_APP, workers: 1, use: { ...DESKTOP, channel: 'chromium' } },
    // A trace would double the time and tell no more than axe's findings.
    { name: 'accessibility', testMatch: ACCESSIBILITY, workers: 1, use: { ...DESKTOP, trace: 'off' } },
  ],
  webServer: {
    command: `${JSON.stringify(process.execPath)} tests/e2e/start-program.ts`,
    cwd: ROOT,
    url: `${url}/healthz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 10_000 },
    env: {
      DATA_DIR: process.env.E2E_DATA_DIR,
      PORT: String(PORT),
      PUBLIC_URL: url,
      DATABASE_URL: '',
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
      PUSH_HOSTS: push.host,
      NODE_EXTRA_CA_CERTS: push.certificateFile,
    },
  },
});
