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
/**
 * Stands in for npm: records that it ran, takes its time, empties node_modules like `npm ci`, and at the end records
 * what it has installed.
 */
const NPM = `#!/bin/sh
echo "$@" >> runs.txt
sleep 0.5
rm -rf node_modules && mkdir node_modules
[ "\${NPM_EXIT:-0}" = 0 ] || exit "$NPM_EXIT"
cp package-lock.json node_modules/.package-lock.json
`;
/** The packages of a lock file, with the fields that matter here. */
const PACKAGES: Record<string, object> = {
  '': { name: 'podium' },
  'node_modules/served': { version: '1.0.0', integrity: 'sha512-served' },
  'node_modules/builder': { version: '2.0.0', integrity: 'sha512-builder', dev: true },
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-install-'));
  mkdirSync(path.join(folder, 'api/commands'), { recursive: true });
  mkdirSync(path.join(folder, 'bin'));
  cpSync(SCRIPT, path.join(folder, SCRIPT));
  writePackages('package-lock.json', PACKAGES);
  writeFileSync(path.join(folder, 'bin/npm'), NPM);
  chmodSync(path.join(folder, 'bin/npm'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writePackages(file: string, packages: Record<string, object>): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), JSON.stringify({ packages }));
}

/** Writes what `npm ci --omit=dev` and `npm prune --omit=dev` leave behind. */
function installForProduction(more: Record<string, object> = {}): void {
  writePackages('node_modules/.package-lock.json', {
    'node_modules/served': PACKAGES['node_modules/served'] ?? {},
    ...more,
  });
}

async function ensure(
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<{ exitCode: number; output: string }> {
  const { npm_execpath: _npm, ...inherited } = process.env;
  const child = spawn(process.execPath, [SCRIPT, ...args], {
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
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/builder': { version: '2.0.1', dev: true } });
  await ensure();
  expect(listRuns()).toHaveLength(2);
});

test('what somebody has installed by hand from the same lock file is not installed again', async () => {
  writePackages('node_modules/.package-lock.json', PACKAGES);
  // npm does not install packages for other machines.
  const elsewhere = { version: '1.0.0', optional: true, os: ['elsewhere'] };
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/elsewhere': elsewhere });
  expect(await ensure()).toEqual({ exitCode: 0, output: '' });
  expect(await ensure({}, ['development'])).toEqual({ exitCode: 0, output: '' });
});

test('a start is content without development packages, and installs none when the lock file changes', async () => {
  installForProduction();
  expect(await ensure()).toEqual({ exitCode: 0, output: '' });
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/served': { version: '1.0.1' } });
  await ensure();
  expect(listRuns()).toEqual(['ci --omit=dev --no-audit --no-fund']);
});

test('what builds or tests installs the development packages that are not there', async () => {
  installForProduction();
  await ensure({}, ['development']);
  expect(listRuns()).toEqual(['ci --include=dev --no-audit --no-fund']);
});

test('packages of another kind of machine are installed again', async () => {
  installForProduction({ 'node_modules/binary': { version: '1.0.0', os: ['elsewhere'], cpu: [process.arch] } });
  await ensure();
  expect(listRuns()).toHaveLength(1);
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
