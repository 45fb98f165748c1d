// What benches in a browser share: the program of the browser tests, a browser, and a slow processor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright';
import { findBrowser } from '#tests/support/find-browser.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export const BROWSER: LaunchOptions = {
  executablePath: findBrowser() ?? undefined,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
};
export const PHONE = { width: 390, height: 844 };

/** Runs the bench against the program with the fixture commands of `tests/e2e/fixture.ts`, and stops it. */
export async function withProgram(bench: (url: string, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-bench-'));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  process.env.E2E_DATA_DIR = path.join(folder, 'data');
  const program = spawn(process.execPath, ['tests/e2e/start-program.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: process.env.E2E_DATA_DIR,
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: '',
      // A build sets it in its own process.
      NODE_ENV: undefined,
      LOG_LEVEL: 'warn',
    },
  });
  const ended = once(program, 'exit');
  try {
    const ready = once(program, 'message').then(() => true);
    if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error('the program did not start');
    await bench(url, folder);
  } finally {
    program.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A browser with a folder of its own: only such a one keeps a worker and its caches. */
export function openProfile(folder: string, baseURL: string, serviceWorkers: 'allow' | 'block') {
  const options = { ...BROWSER, baseURL, viewport: PHONE, serviceWorkers };
  return chromium.launchPersistentContext(folder, options);
}

/** Makes the processor this many times slower for a page. */
export async function slowDown(context: BrowserContext, page: Page, rate: number): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}
