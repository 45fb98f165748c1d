import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { BROWSER_TESTS, DESKTOP, PHONE, PROGRAM_LIFE, SLOW_TIMEOUT_MS } from './browser-settings.ts';
import { preparePushService } from './push-service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PORT = Number(process.env.E2E_PORT ?? 4190);
const url = `http://localhost:${PORT}`;
// The configuration is read by every worker; the folder must be the same for all.
process.env.E2E_DATA_DIR ??= mkdtempSync(path.join(tmpdir(), 'podium-e2e-'));
const push = await preparePushService(process.env.E2E_DATA_DIR, PORT);

const SLOW = path.join(ROOT, 'tests/slow');
const SLOWLY = { workers: 1, timeout: SLOW_TIMEOUT_MS };

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
    { name: 'desktop', grepInvert: /@phone/, use: DESKTOP },
    { name: 'phone', grepInvert: /@once/, use: PHONE },
    // `npm run test:slow -- installed`. One worker, because these tests wait for updates and pushes. The channel picks Playwright's whole browser.
    { name: 'installed', testDir: path.join(SLOW, 'installed'), ...SLOWLY, use: { ...DESKTOP, channel: 'chromium' } },
    // `npm run test:slow -- accessibility`. A trace would double the time and tell no more than axe's findings.
    { name: 'accessibility', testDir: path.join(SLOW, 'accessibility'), ...SLOWLY, use: { ...DESKTOP, trace: 'off' } },
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
