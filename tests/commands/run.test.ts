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
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Runs with the Node of the folder's packages, and tells what it was given. */
const COMMAND = `const [what, exitCode = 0] = process.argv.slice(2);
const end = () => process.exit(Number(exitCode));
if (what === 'wait') process.once('SIGTERM', end) && setInterval(() => {}, 1000);
console.log('ran', process.argv.slice(2).join(' '));
if (what !== 'wait') end();
`;
/**
 * Stands in for npm: records that it ran, takes its time, empties node_modules like `npm ci`, installs a Node, and at the
 * end records what it has installed.
 */
const NPM = `#!/bin/sh
echo "$@" >> runs.txt
sleep 0.5
rm -rf node_modules && mkdir node_modules
[ "\${NPM_EXIT:-0}" = 0 ] || exit "$NPM_EXIT"
mkdir -p node_modules/node/bin && ln -s "$NODE" node_modules/node/bin/node
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
  for (const name of ['run.mjs', 'ensure-dependencies.mjs']) {
    cpSync(path.join('api/commands', name), path.join(folder, 'api/commands', name));
  }
  writeFileSync(path.join(folder, 'command.mjs'), COMMAND);
  writePackages('package-lock.json', PACKAGES);
  writeProgram('bin/npm', NPM);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writePackages(file: string, packages: Record<string, object>): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), JSON.stringify({ packages }));
}

function writeProgram(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
  chmodSync(path.join(folder, file), 0o755);
}

/** Writes what an installation of these packages leaves behind. */
function install(packages: Record<string, object>): void {
  writePackages('node_modules/.package-lock.json', packages);
  mkdirSync(path.join(folder, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, path.join(folder, 'node_modules/node/bin/node'));
}

/** What `npm ci --omit=dev` and `npm prune --omit=dev` leave behind. */
function installForProduction(more: Record<string, object> = {}): void {
  install({ 'node_modules/served': PACKAGES['node_modules/served'] ?? {}, ...more });
}

function start(args: string[] = [], env: Record<string, string> = {}) {
  const { npm_execpath: _npm, ...inherited } = process.env;
  const [flags, others] = args[0] === '--development' ? [args.slice(0, 1), args.slice(1)] : [[], args];
  return spawn(process.execPath, ['api/commands/run.mjs', ...flags, 'command.mjs', ...others], {
    cwd: folder,
    env: { ...inherited, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, NODE: process.execPath, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function run(
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; output: string }> {
  const child = start(args, env);
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { exitCode, output };
}

function listRuns(): string[] {
  const file = path.join(folder, 'runs.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

test('installs once, with the tools that the build needs, and again only when the lock file changes', async () => {
  expect((await run()).output).toContain('npm ci');
  expect(await run()).toEqual({ exitCode: 0, output: 'ran \n' });
  expect(listRuns()).toEqual(['ci --include=dev --no-audit --no-fund']);
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/builder': { version: '2.0.1', dev: true } });
  await run();
  expect(listRuns()).toHaveLength(2);
});

test.each([
  ['the Node that the packages bring', process.execPath],
  ['another Node', undefined],
])('the command gets its arguments, and gives its exit code, under %s', async (_, node) => {
  // A Node that is not the packages' own starts theirs.
  writeProgram('bin/other-node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  const env = { NODE: node ?? path.join(folder, 'bin/other-node') };
  await run([], env);
  expect(await run(['say', '7', '--more'], env)).toEqual({ exitCode: 7, output: 'ran say 7 --more\n' });
  const waiting = start(['wait', '5'], env);
  await once(waiting.stdout, 'data');
  waiting.kill('SIGTERM');
  expect(await once(waiting, 'exit')).toEqual([5, null]);
});

test('what somebody has installed by hand from the same lock file is not installed again', async () => {
  install(PACKAGES);
  // npm does not install packages for other machines.
  const elsewhere = { version: '1.0.0', optional: true, os: ['elsewhere'] };
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/elsewhere': elsewhere });
  await run();
  await run(['--development']);
  expect(listRuns()).toEqual([]);
});

test('a start is content without development packages, and installs none when the lock file changes', async () => {
  installForProduction();
  await run();
  expect(listRuns()).toEqual([]);
  writePackages('package-lock.json', { ...PACKAGES, 'node_modules/served': { version: '1.0.1' } });
  await run();
  expect(listRuns()).toEqual(['ci --omit=dev --no-audit --no-fund']);
});

test('what builds or tests installs the development packages that are not there', async () => {
  installForProduction();
  expect((await run(['--development', 'say'])).output).toContain('ran say\n');
  expect(listRuns()).toEqual(['ci --include=dev --no-audit --no-fund']);
});

test('packages of another kind of machine are installed again', async () => {
  installForProduction({ 'node_modules/binary': { version: '1.0.0', os: ['elsewhere'], cpu: [process.arch] } });
  await run();
  expect(listRuns()).toHaveLength(1);
});

test('of two starts at once one installs and the other waits for it', async () => {
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(listRuns()).toHaveLength(1);
});

test('a failed installation stops the command and is tried again by the next', async () => {
  const failed = await run([], { NPM_EXIT: '7' });
  expect([failed.exitCode, failed.output.includes('ran')]).toEqual([1, false]);
  expect((await run()).exitCode).toBe(0);
  expect(listRuns()).toHaveLength(2);
});

test('the lock of a start that was killed does not hold up the next one', async () => {
  const lock = path.join(folder, '.cache/installing');
  mkdirSync(path.dirname(lock));
  writeFileSync(lock, '');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect((await run()).exitCode).toBe(0);
  expect(listRuns()).toHaveLength(1);
});
