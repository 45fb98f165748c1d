import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { findRoom, isWithin, listAllowed, ROOMS } from './room-rules.ts';
import { writeRoomTables } from './room-tables.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

interface Import {
  from: string;
  /** As written in the source. */
  specifier: string;
  /** The file inside the repository; null for a package. */
  target: string | null;
  isTypeOnly: boolean;
  /** Loaded when it is needed. */
  isLazy: boolean;
}

const files = globSync('{shared,api,bot,pwa,prisma,tests,tools}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.startsWith('prisma/generated/'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
const imports = files.filter((file) => !file.endsWith('.as.ts')).flatMap(readImports);

function readImports(from: string): Import[] {
  const text = texts.get(from) ?? '';
  const found: Import[] = [];
  const add = (specifier: string, kind: Partial<Import>) =>
    found.push({ from, specifier, target: resolve(from, specifier), isTypeOnly: false, isLazy: false, ...kind });
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)) {
    add(match[2] ?? '', { isTypeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) add(match[1] ?? '', { isLazy: true });
  return found;
}

function resolve(from: string, specifier: string): string | null {
  const bare = specifier.split('?')[0] ?? '';
  if (bare.startsWith('#')) return bare.slice(1);
  return bare.startsWith('.') ? path.posix.join(path.posix.dirname(from), bare) : null;
}

function complaints(isWrong: (item: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ from, specifier }) => `${from} imports ${specifier}`);
}

test('every room imports only downwards', () => {
  const wrong = complaints(({ from, specifier, target }) => {
    if (target !== null) return !listAllowed(from).some((allowed) => isWithin(target, allowed));
    const packages = findRoom(from)?.packages;
    return packages !== undefined && !packages.includes(specifier);
  });
  expect(wrong).toEqual([]);
});

test('every file has a room, and every room has files', () => {
  expect(files.filter((file) => listAllowed(file).length === 0)).toEqual([]);
  const missing = ROOMS.flatMap(({ paths, floors = [] }) => [
    ...paths,
    ...floors.map(({ folder }) => `${paths[0]}/${folder}`),
  ]).filter((room) => !files.some((file) => isWithin(file, room)));
  expect(missing).toEqual([]);
});

test('services know the context as a type only', () => {
  expect(complaints(({ from, isTypeOnly }) => findRoom(from)?.isTypesOnly === true && !isTypeOnly)).toEqual([]);
});

test('a process that serves loads nothing that works on pixels', () => {
  const reached = new Set(['api/main.ts', 'api/server.ts', 'api/jobs/start-jobs.ts', 'bot/main.ts']);
  // Files that are added on the way are visited, too.
  for (const file of reached) {
    for (const { target } of loadedBy(file)) if (target) reached.add(target);
  }
  const packages = [...reached].flatMap((file) => loadedBy(file).map(({ specifier }) => `${file} loads ${specifier}`));
  expect(reached.size).toBeGreaterThan(200);
  expect(packages.filter((one) => / loads (sharp|node-av|@techstark\/opencv-js)/.test(one))).toEqual([]);
});

function loadedBy(file: string): Import[] {
  return imports.filter(({ from, isTypeOnly, isLazy }) => from === file && !isTypeOnly && !isLazy);
}

test('product features never import each other, only base features', () => {
  const wrong = complaints(({ from, target }) => {
    const { paths: [room] = [], onlyShares } = findRoom(from) ?? {};
    const folder = (file: string) => (isWithin(file, room ?? '') ? file.slice(`${room}/`.length).split('/')[0] : null);
    const other = target && folder(target);
    return Boolean(onlyShares && other && other !== folder(from) && !onlyShares.includes(other));
  });
  expect(wrong).toEqual([]);
});

test('the tables of rooms in CONTRIBUTING.md say what these tests hold (npm run docs:rooms writes them)', () => {
  const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  expect(text).toBe(writeRoomTables(text));
});

test('nothing imports itself by a detour, not even a type', () => {
  expect(filesInCircles(({ from }) => !isWithin(from, 'tests'))).toEqual([]);
});

/** The files that reach themselves by the imports that count. */
function filesInCircles(counts: (one: Import) => boolean): string[] {
  const uses = Map.groupBy(imports.filter(counts), ({ from }) => from);
  const reaches = (file: string, goal: string, seen = new Set<string>()): boolean =>
    (uses.get(file) ?? []).some(({ target }) => {
      if (target === goal) return true;
      if (target === null || seen.has(target)) return false;
      seen.add(target);
      return reaches(target, goal, seen);
    });
  return [...uses.keys()].filter((file) => reaches(file, file));
}

test('imports name a neighbour or a room, and the file with its ending', () => {
  expect(complaints(({ specifier }) => specifier.includes('../'))).toEqual([]);
  expect(complaints(({ specifier, target }) => target !== null && !/\.\w+(\?\w+)?$/.test(specifier))).toEqual([]);
});

test('files have kebab-case names', () => {
  expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(path.basename(file)))).toEqual([]);
});

test('only the configuration and what starts processes read the environment', () => {
  const readers = files.filter(
    (file) =>
      !/^(api\/config\/config\.ts|api\/platform\/work-processes\/work-process\.ts|api\/commands\/|tests\/|tools\/)/.test(
        file,
      ) && /\bprocess\.env\b/.test(texts.get(file) ?? ''),
  );
  expect(readers).toEqual([]);
});

test('there are no barrels and no drawers for odds and ends', () => {
  const named = files.filter((file) => /(^|\/)(index|utils?|helpers?|common|misc)(\.|\/)/.test(file));
  const barrels = files.filter((file) => {
    const code = (texts.get(file) ?? '').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
    return (
      code !== '' &&
      code.split(/;\s*/).every((statement) => statement === '' || /^export\s[\s\S]*\sfrom\s/.test(statement))
    );
  });
  expect([...named, ...barrels]).toEqual([]);
});

/** What these search is written by the operator, by a package or by ourselves. */
const OVER_OWN_TEXT = [
  'api/adapters/generation-engines/comfyui/workflow-templates.ts',
  'api/adapters/generation-engines/fal/fal-models.ts',
  'api/adapters/generation-engines/local/output-files.ts',
  'api/adapters/mail/outbox-mailer.ts',
  'api/adapters/payments/tbank/tbank-provider.ts',
  'api/adapters/storage/disk-failures.ts',
  'api/adapters/storage/object-storage.ts',
  'api/catalogue',
  'api/commands',
  'api/config/config.ts',
  'api/config/connections.ts',
  'api/config/files.ts',
  'api/queue/job-definitions.ts',
  'api/plugins/error-handler.ts',
  'api/queue/queue.ts',
  'api/services/maintenance/orphan-files.ts',
  'api/config/settings.ts',
  'api/telemetry/process-figures.ts',
  'api/platform/never-sent.ts',
  'api/platform/work-processes',
  'bot/format.ts',
];

test('an expression that repeats without end over text from outside stands in the table of these', () => {
  const found = files.filter((file) => /^(api|bot|shared)\//.test(file) && hasEndlessExpression(file));
  const own = (file: string) => OVER_OWN_TEXT.some((room) => isWithin(file, room));
  expect(found.filter((file) => !own(file))).toEqual(['shared/rules/outside-text.ts']);
  expect(OVER_OWN_TEXT.filter((room) => !found.some((file) => isWithin(file, room)))).toEqual([]);
});

function hasEndlessExpression(file: string): boolean {
  let isFound = false;
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const outsideClasses = node.regex.pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      if (/[*+]|\{\d+,\}/.test(outsideClasses)) isFound = true;
    },
  }).visit(parseSync(file, texts.get(file) ?? '').program);
  return isFound;
}
