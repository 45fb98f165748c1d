import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settings } from '#api/config/settings.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'tests/slow/*.md'], { cwd: ROOT }).map((file) =>
  file.replaceAll(path.sep, '/'),
);
const SOURCES = globSync(['*.ts', '{api,bot,prisma,pwa,shared,tests,tools}/**/*.{ts,tsx,mjs}'], { cwd: ROOT }).map(
  (file) => `/${file.replaceAll(path.sep, '/')}`,
);
/** TEST_DATABASE_URL is read only by the tests, so the server's settings do not have it. */
const NAMES = [...Object.keys(settings.shape), 'TEST_DATABASE_URL'].sort();

test("the operator's tables have a row for every setting, and for nothing else", () => {
  const section = read('docs/operating.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';
  const cells = section.split('\n').map((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? '');
  expect(cells.flatMap(listQuoted).sort()).toEqual(NAMES);
});

test('.env.example shows every setting of the server', () => {
  const shown = [...read('.env.example').matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(shown.sort()).toEqual(NAMES.filter((name) => name !== 'TEST_DATABASE_URL'));
});

test('the README is an entrance of at most 120 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(120);
});

test.runIf(existsSync(path.join(ROOT, '.git')))(
  'what the guide has operators make in this folder is not committed',
  () => {
    const made = ['.env', 'operations/.env', 'operations/podium.env', 'operations/tls/privkey.pem'];
    const { stdout } = spawnSync('git', ['check-ignore', ...made], { cwd: ROOT, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(made);
  },
);

describe.each(DOCUMENTS)('%s', (document) => {
  test('links to what exists', () => {
    const targets = [...read(document).matchAll(/\]\(([^)#]+)[^)]*\)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !target.includes(':'));
    expect(targets.filter((target) => !existsSync(path.join(ROOT, path.dirname(document), target)))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = listQuoted(read(document)).filter((text) => /^[\w./-]+$/.test(text) && findFolder(text) !== null);
    const missing = named.filter((name) => {
      const file = path.join(ROOT, findFolder(name) ?? '', name);
      return !existsSync(file) && !existsSync(`${file}.ts`);
    });
    expect(missing).toEqual([]);
  });

  test('names source files, with or without their folders, that exist', () => {
    const named = listQuoted(read(document)).filter((text) => /^\w[\w./-]*\.(ts|tsx|mjs)$/.test(text));
    expect(named.filter((name) => !SOURCES.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});

/** The folder that a quoted path starts from; null when it is not a path of ours. */
function findFolder(quoted: string): string | null {
  if (/^(api|bot|docs|prisma|pwa|shared|tests|tools)\//.test(quoted)) return '';
  return /^(jobs|routes|services)\//.test(quoted) ? 'api' : null;
}

function listQuoted(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted]) => quoted ?? '');
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
