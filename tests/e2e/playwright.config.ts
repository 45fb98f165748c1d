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
/** They take many minutes: waits for workers, updates and clocks; every page at every width in both themes. */
const SLOW = [INSTALLED_APP, ACCESSIBILITY];
const DESKTOP = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

/** The real program on embedded parts, and a browser at both sizes. `npm test` finds the browser. */
export default defineConfig({
  testDir: '.',
  outputDir: path.join(ROOT, 'test-results'),
  timeout: 300_000,
  // Beside a render, or others' work, everything takes its time on a small machine.
  expect: { timeout: 60_000 },
  // One for each core of a small machine. Every test has accounts of its own.
  workers: 2,
  // Where nobody looks on, a browser may be late once; `npm test` names what needed a second try.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  use: {
    baseURL: url,
    locale: 'ru-RU',
    // It would answer what a test answers in the server's place. The tests in `pwa` are about it and allow it.
    serviceWorkers: 'block',
    // What cannot be pressed should fail by its own name and not by the time of the whole test.
    actionTimeout: 60_000,
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.BROWSER_PATH || undefined,
      // Chromium's sandbox refuses root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [
    // Each journey runs at one size, `@once` or `@phone`, where it does not depend on the layout.
    { name: 'desktop', testIgnore: SLOW, grepInvert: /@phone/, use: DESKTOP },
    {
      name: 'phone',
      testIgnore: SLOW,
      grepInvert: /@once/,
      // Drawn without a graphics card: a phone's density would be seven times the pixels and show no more.
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
    },
    // `npm run test:pwa` and `npm run test:accessibility`.
    // Its workers, updates and pushes are waited for one by one. The channel is the whole browser, where it is Playwright's.
    { name: 'installed', testMatch: INSTALLED_APP, workers: 1, use: { ...DESKTOP, channel: 'chromium' } },
    // A recording would take as long as the examination, and say no more than what axe has found.
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
