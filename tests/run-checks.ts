// `npm run check`: every check that needs no running program. All checks run even if one fails, so that one run shows
// all errors.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
const failed = checks.filter(([name, command, ...args]) => {
  console.log(`\n— ${name}`);
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0;
});
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([name]) => name).join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function bin(name: string): string {
  return path.join(ROOT, 'node_modules/.bin', name);
}
