import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { BROWSER_TESTS, DESKTOP, PHONE, PROGRAM_LIFE } from './browser-settings.ts';
import { preparePushService } from './push-service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PORT = Number(process.env.E2E_PORT ?? 4190);
const url = `http://localhost:${PORT}`;
// The configuration is read by every worker; the folder must be the same for all.
process.env.E2E_DATA_DIR ??= mkdtempSync(path.join(tmpdir(), 'podium-e2e-'));
const push = await preparePushService(process.env.E2E_DATA_DIR, PORT);

const INSTALLED_APP = 'pwa/**/*.spec.ts';
const ACCESSIBILITY = 'accessibility.spec.ts';
/**
 * These take many minutes: waits for service workers and updates; every page at every width in both themes. Those of
 * generative engines have a configuration and programs of their own.
 */
const SLOW = [INSTALLED_APP, ACCESSIBILITY, 'engines/**/*.spec.ts'];

/** Runs the real program on its embedded parts, and a browser at both sizes. */
export default defineConfig({
  ...BROWSER_TESTS,
  testDir: '.',
  outputDir: path.join(ROOT, 'test-results'),
  // One worker for each core of a small machine. Tests do not share accounts.
  workers: 2,
  use: { ...BROWSER_TESTS.use, baseURL: url },
  projects: [
    // A test that does not depend on the layout runs at one size: `@once` or `@phone`.
    { name: 'desktop', testIgnore: SLOW, grepInvert: /@phone/, use: DESKTOP },
    { name: 'phone', testIgnore: SLOW, grepInvert: /@once/, use: PHONE },
    // `npm run test:pwa` and `npm run test:accessibility`.
    // One worker, because these tests wait for updates and pushes. The channel picks Playwright's whole browser.
    { name: 'installed', testMatch: INSTALLED_APP, workers: 1, use: { ...DESKTOP, channel: 'chromium' } },
    // A trace would double the time and tell no more than axe's findings.
    { name: 'accessibility', testMatch: ACCESSIBILITY, workers: 1, use: { ...DESKTOP, trace: 'off' } },
  ],
  webServer: {
    ...PROGRAM_LIFE,
    command: `${JSON.stringify(process.execPath)} tests/e2e/start-program.ts`,
    cwd: ROOT,
    url: `${url}/healthz`,
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
