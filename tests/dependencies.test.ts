import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The files that a production start loads. The interface and the database client are built before. */
const PRODUCTION = '{api,bot,shared}/**/*.{ts,mjs}';
const MIGRATIONS = ['prisma/migrate.ts', 'prisma/schema-engine.ts', 'prisma/database-errors.ts'];
/** Files among them that only development loads, each with the package that only it may import. */
const BUILDERS: Record<string, string[]> = {
  'api/commands/dev.ts': ['vite'],
  'api/adapters/generation-engines/local/kernel/build-kernel.ts': ['assemblyscript'],
};
/** Needed by a start but not imported. */
const RUNTIME = ['node'];

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, string | Record<string, string>>;
}
const { dependencies, devDependencies, overrides } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
) as Manifest;

/** The packages that a file loads at run time, without its type imports. */
function listLoadedPackages(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\s)(?:[\w*{][^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  const calls = text.matchAll(/\b(?:import|createRequire\([^)]*\)(?:\.resolve)?)\(\s*['"]([^'"]+)['"]\s*\)/g);
  return [...statements, ...calls]
    .map((match) => match[1] ?? '')
    .filter((specifier) => !/^[.#]/.test(specifier) && !isBuiltin(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
}

const loaded = [...globSync(PRODUCTION, { cwd: ROOT }), ...MIGRATIONS]
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.endsWith('.as.ts'))
  .flatMap((file) => listLoadedPackages(file).map((name) => ({ file, name })))
  .filter(({ file, name }) => !BUILDERS[file]?.includes(name));

test('what a production start loads stands in dependencies', () => {
  const missing = loaded.filter(({ name }) => !(name in dependencies));
  expect(missing.map(({ file, name }) => `${file} loads ${name}`)).toEqual([]);
});

test('what no production start loads stands in devDependencies', () => {
  const used = new Set([...loaded.map(({ name }) => name), ...RUNTIME]);
  expect(Object.keys(dependencies).filter((name) => !used.has(name))).toEqual([]);
});

test('what builds ahead is a development package', () => {
  const builders = [...Object.values(BUILDERS).flat(), 'prisma', '@prisma/client'];
  expect(builders.filter((name) => !(name in devDependencies))).toEqual([]);
});

test('every version is exact', () => {
  const versions = [dependencies, devDependencies, overrides].flatMap((list) =>
    Object.entries(list).flatMap(([name, version]) =>
      typeof version === 'string' ? [[name, version]] : Object.entries(version),
    ),
  );
  const isExact = (version = '') => /^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
  expect(versions.filter(([, version]) => !isExact(version))).toEqual([]);
});

test('the lock file names no registry', () => {
  const lock = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  expect(lock.match(/"resolved": "[^"]*"/g) ?? []).toEqual([]);
});
