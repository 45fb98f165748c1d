import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = 'api/commands/ensure-dependencies.mjs';
/** Stands in for npm: takes its time, empties node_modules as `npm ci` does, and writes down that it ran. */
const NPM = `#!/bin/sh
echo "$@" >> runs.txt
sleep 0.5
rm -rf node_modules && mkdir node_modules
exit \${NPM_EXIT:-0}
`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-install-'));
  mkdirSync(path.join(folder, 'api/commands'), { recursive: true });
  mkdirSync(path.join(folder, 'bin'));
  cpSync(SCRIPT, path.join(folder, SCRIPT));
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
  writeFileSync(path.join(folder, 'bin/npm'), NPM);
  chmodSync(path.join(folder, 'bin/npm'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function ensure(env: Record<string, string> = {}): Promise<{ exitCode: number; output: string }> {
  const { npm_execpath: _npm, ...inherited } = process.env;
  const child = spawn(process.execPath, [SCRIPT], {
    cwd: folder,
    env: { ...inherited, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { exitCode, output };
}

function listRuns(): string[] {
  const file = path.join(folder, 'runs.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

test('installs once, with the tools that the build needs, and again only when the lock file changes', async () => {
  expect((await ensure()).output).toContain('npm ci');
  expect(await ensure()).toEqual({ exitCode: 0, output: '' });
  expect(listRuns()).toEqual(['ci --include=dev --no-audit --no-fund']);
  writeFileSync(path.join(folder, 'package-lock.json'), '{"changed": true}');
  await ensure();
  expect(listRuns()).toHaveLength(2);
});

test('of two starts at once one installs and the other waits for it', async () => {
  const both = await Promise.all([ensure(), ensure()]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(listRuns()).toHaveLength(1);
});

test('a failed installation stops the start and is tried again by the next', async () => {
  expect((await ensure({ NPM_EXIT: '7' })).exitCode).toBe(1);
  expect((await ensure()).exitCode).toBe(0);
  expect(listRuns()).toHaveLength(2);
});

test('the lock of a start that was killed does not hold up the next one', async () => {
  const lock = path.join(folder, '.cache/installing');
  mkdirSync(path.dirname(lock));
  writeFileSync(lock, '');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect((await ensure()).exitCode).toBe(0);
  expect(listRuns()).toHaveLength(1);
});
