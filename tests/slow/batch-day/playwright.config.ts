import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { BROWSER_TESTS, DESKTOP, PHONE } from '#tests/e2e/browser-settings.ts';

/** Thirty pictures are made by this machine's processor, which may be busy. */
const JOURNEY_TIMEOUT_MS = 30 * 60_000;

/** Each test starts the real program for itself, because it kills it. */
export default defineConfig({
  ...BROWSER_TESTS,
  timeout: JOURNEY_TIMEOUT_MS,
  testDir: '.',
  outputDir: path.resolve(import.meta.dirname, '../../../test-results'),
  // One program uses all the cores.
  workers: 1,
  // A trace of so many minutes would be larger than the disk allows.
  use: { ...BROWSER_TESTS.use, trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    { name: 'desktop', use: DESKTOP },
    { name: 'phone', use: PHONE },
  ],
});
