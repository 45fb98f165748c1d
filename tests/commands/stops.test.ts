import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '#tests/support/find-free-port.ts';

/** Code that is loaded into the program. It stops the program as soon as that listens, before its jobs have begun. */
const EARLY_STOP = `
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
    if (server.address()?.port === Number(process.env.PORT)) process.kill(process.pid, 'SIGINT');
  });`;
const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-stop-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function makeEnvironment() {
  const port = await findFreePort();
  const env = {
    ...process.env,
    DATABASE_URL: '',
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    TELEGRAM_BOT_TOKEN: '',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
  };
  return { port, env };
}

describe.runIf(process.platform !== 'win32')('a stop', () => {
  test('by a SIGTERM that ends only the shell between npm and the server stops the server too', async () => {
    const { port, env } = await makeEnvironment();
    // The second command keeps the shell from becoming the server.
    const shell = spawn('sh', ['-c', `'${process.execPath}' api/commands/start.ts --under-npm; exit $?`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that a server that goes on can be ended below.
      detached: true,
    });
    onTestFinished(() => {
      try {
        process.kill(-Number(shell.pid), 'SIGKILL');
      } catch {
        // Both have ended, as they should.
      }
    });
    let output = '';
    shell.stdout.on('data', (chunk) => (output += chunk));
    // The server holds the other end, so it closes when the server has ended.
    const ended = once(shell.stdout, 'close');
    await vi.waitFor(() => expect(output).toContain('is ready after'), { timeout: 60_000, interval: 100 });
    shell.kill('SIGTERM');
    await ended;
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow();
    expect(output).not.toContain('the stop was not clean');
  });

  test('before the start is through ends the program without an error', async () => {
    const { env } = await makeEnvironment();
    const program = spawn(process.execPath, ['api/commands/start.ts'], {
      env: { ...env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(EARLY_STOP)}"` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void program.kill('SIGKILL'));
    let output = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (output += chunk));
    expect(await once(program, 'close')).toEqual([0, null]);
    expect(output).toContain('the server has stopped');
    expect(output).not.toMatch(/Error|not clean|is ready after/);
  });
});
