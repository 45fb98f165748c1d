import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, string | Record<string, string>>;
}

test('every version is exact', () => {
  const { dependencies, devDependencies, overrides }: Manifest = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
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
