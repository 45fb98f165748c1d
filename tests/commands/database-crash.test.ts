import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { startServer } from '#tests/support/running-server.ts';

/** Code that is loaded into the program. It ends the thread of the database on a signal. */
const THREAD_KILLER = "process.once('worker', (worker) => process.on('SIGUSR2', () => worker.terminate()));";
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'podium-database-crash-'));
  await copyEmbeddedTemplate(dataDir);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('a process whose embedded database has ended ends too, so that another can be started', async () => {
  const server = await startServer({
    dataDir,
    env: { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(THREAD_KILLER)}"` },
  });
  try {
    server.signal('SIGUSR2');
    await vi.waitFor(
      () => {
        expect(server.exitCode()).toBe(1);
        // What it has printed last may be read after its end is known.
        expect(server.output()).toContain('the embedded database ended');
      },
      { timeout: 60_000, interval: 100 },
    );
  } finally {
    await server.kill();
  }
});
