// `npm run check`: every check that needs no running program. All checks run even if one fails, so that one run shows
// all errors. As many run at a time as there are cores, and each prints what it has found when it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TSCONFIGS = ['tsconfig.json', 'pwa/tsconfig.json', 'pwa/service-worker/tsconfig.json'];

// The type check needs the types of the database client.
prepare({ pwa: false });
const checks: [name: string, script: string, ...args: string[]][] = [
  ...TSCONFIGS.filter((file) => existsSync(path.join(ROOT, file))).map((file): [string, string, ...string[]] => [
    `types of ${file}`,
    bin('tsc'),
    '-p',
    file,
  ]),
  ['format and lint', bin('biome'), 'check', '--error-on-warnings'],
  ['unused code', bin('knip'), '--no-config-hints'],
  ['packages of production', bin('knip'), '--production', '--strict', '--dependencies', '--no-config-hints'],
  [
    'architecture',
    bin('vitest'),
    'run',
    '--config',
    'vite.config.ts',
    '--project',
    'unit',
    'tests/architecture.test.ts',
  ],
  ['size of the code', process.execPath, 'tests/check-code-size.ts'],
  ['supported browsers', process.execPath, 'tests/check-browsers.ts'],
  ['schema and migrations', process.execPath, 'prisma/diff.ts', '--check'],
];
const failed: string[] = [];
const waiting = checks.values();
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs checks one after the other until none is left. Each call takes the next one from the same list. */
async function runWaiting(): Promise<void> {
  for (const [name, command, ...args] of waiting) {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [status] = await once(child, 'close');
    console.log(`\n— ${name}\n${output}`);
    if (status !== 0) failed.push(name);
  }
}

function bin(name: string): string {
  return path.join(ROOT, 'node_modules/.bin', name);
}
