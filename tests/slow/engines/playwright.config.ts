import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { BROWSER_TESTS, DESKTOP, PHONE, PROGRAM_LIFE, SLOW_TIMEOUT_MS } from '#tests/e2e/browser-settings.ts';
import type { EngineName, EngineOptions } from './journey.ts';

const ENGINES: EngineName[] = ['fal', 'comfyui'];
const ROOT = path.resolve(import.meta.dirname, '../../..');
const FIRST_PORT = Number(process.env.E2E_PORT ?? 4190);
// The configuration is read by every worker; the folder must be the same for all.
process.env.E2E_ENGINES_DIR ??= mkdtempSync(path.join(tmpdir(), 'podium-engines-'));

const programs = ENGINES.map((engine, index) => {
  const url = `http://localhost:${FIRST_PORT + index}`;
  const dataDir = path.join(process.env.E2E_ENGINES_DIR ?? '', engine);
  return { engine, url, port: FIRST_PORT + index, dataDir, logFile: `${dataDir}.log` };
});

/** Runs the real program on a fake of each generative engine, and a browser at both sizes. */
export default defineConfig<object, EngineOptions>({
  ...BROWSER_TESTS,
  timeout: SLOW_TIMEOUT_MS,
  testDir: '.',
  outputDir: path.join(ROOT, 'test-results'),
  // What a test tells a fake is about the next order, whosever it is.
  workers: 1,
  projects: programs.flatMap(({ engine, url, dataDir, logFile }) =>
    Object.entries({ desktop: DESKTOP, phone: PHONE }).map(([size, device]) => ({
      name: `${engine}-${size}`,
      use: { ...BROWSER_TESTS.use, ...device, baseURL: url, program: { engine, dataDir, logFile } },
    })),
  ),
  webServer: programs.map(({ engine, url, port, dataDir, logFile }) => ({
    ...PROGRAM_LIFE,
    command: `${JSON.stringify(process.execPath)} tests/slow/engines/start-program.ts > ${JSON.stringify(logFile)}`,
    cwd: ROOT,
    url: `${url}/healthz`,
    env: {
      ENGINE: engine,
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: '',
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
    },
  })),
});
