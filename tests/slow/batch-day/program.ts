import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base } from 'playwright/test';
import { type RunningServer, startServer } from '#tests/support/running-server.ts';

export interface Program {
  url: string;
  dataDir: string;
  /** Ends it with SIGKILL, and starts it again with what is on the disk. */
  killAndStart(): Promise<void>;
  /** Ends it in peace. Its data stays until the test is over. */
  stop(): Promise<void>;
}

/** The real program with its embedded parts, as `npm start` runs it. */
export const test = base.extend<{ program: Program }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  program: async ({}, use) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-batch-day-'));
    let server: RunningServer = await startServer({ dataDir });
    // Where `newcomer.ts` reads mails.
    process.env.E2E_DATA_DIR = dataDir;
    await use({
      url: server.url,
      dataDir,
      async killAndStart() {
        await server.kill();
        server = await server.startAgain();
      },
      stop: () => server.stop().then(() => undefined),
    });
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
  baseURL: ({ program }, use) => use(program.url),
});
