import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const MAX_LINES = 350;

/** The rooms of `api/services`, the lowest floor first. A room may import itself and the rooms named before it. */
const SERVICE_ROOMS = [
  'ground',
  'stars',
  'photos',
  'accounts',
  'notices',
  'payments',
  'generations',
  'gallery',
  'telegram',
  'administration',
  'leaving',
];

/** Who may import whom. The first row that fits a file counts; a path stands for itself and all below it. */
const ROOMS: { files: RegExp; may: string[]; packages: 'any' | string[] }[] = [
  { files: /^shared\/rules\//, may: ['shared/rules'], packages: [] },
  { files: /^shared\//, may: ['shared'], packages: ['zod'] },
  { files: /^api\/(config|settings)\.ts$/, may: ['shared', 'api/settings.ts'], packages: 'any' },
  {
    files: /^api\/(db|queue|nudges|errors|logger)\.ts$/,
    may: ['shared', 'prisma', 'api/config.ts', 'api/db.ts', 'api/errors.ts', 'api/adapters/embedded-postgres'],
    packages: 'any',
  },
  { files: /^api\/watermark\//, may: ['api/watermark'], packages: 'any' },
  { files: /^api\/catalogue\//, may: ['shared', 'api/catalogue'], packages: 'any' },
  { files: /^api\/adapters\//, may: ['shared', 'prisma/generated', 'api/adapters', 'api/watermark'], packages: 'any' },
  // What is in a server's context, as types. A test of its own looks after that.
  { files: /^api\/services\/app-context\.ts$/, may: ['shared', 'api'], packages: 'any' },
  ...SERVICE_ROOMS.map((room, floor) => ({
    files: new RegExp(`^api/services/${room}/`),
    may: [
      'shared',
      'prisma/generated',
      'api/services/app-context.ts',
      ...SERVICE_ROOMS.slice(0, floor + 1).map((below) => `api/services/${below}`),
      'api/watermark',
      'api/db.ts',
      'api/queue.ts',
      'api/nudges.ts',
      'api/errors.ts',
      ...ports(),
    ],
    packages: 'any' as const,
  })),
  {
    files: /^api\/(routes|jobs|plugins)\//,
    may: ['shared', 'api/routes', 'api/jobs', 'api/plugins', 'api/services', 'api/errors.ts', ...ports()],
    packages: 'any',
  },
  {
    files: /^api\/app-context\.ts$/,
    may: [
      'shared',
      'api/config.ts',
      'api/db.ts',
      'api/queue.ts',
      'api/nudges.ts',
      'api/logger.ts',
      'api/adapters',
      'api/catalogue',
      'api/services/app-context.ts',
      'api/services/ground',
    ],
    packages: 'any',
  },
  { files: /^api\/(main|server)\.ts$/, may: ['shared', 'api', 'bot/main.ts'], packages: 'any' },
  { files: /^api\/commands\//, may: ['shared', 'api'], packages: 'any' },
  { files: /^bot\//, may: ['shared', 'bot', 'api/services', 'api/errors.ts'], packages: 'any' },
  { files: /^pwa\/service-worker\//, may: ['shared', 'pwa/service-worker', 'pwa/lib'], packages: 'any' },
  { files: /^pwa\/lib\//, may: ['shared', 'pwa/lib', 'pwa/messages.ts'], packages: 'any' },
  {
    files: /^pwa\/components\//,
    may: ['shared', 'pwa/components', 'pwa/lib', 'pwa/assets', 'pwa/messages.ts'],
    packages: 'any',
  },
  {
    files: /^pwa\/features\//,
    may: ['shared', 'pwa/features', 'pwa/components', 'pwa/lib', 'pwa/assets', 'pwa/messages.ts'],
    packages: 'any',
  },
  {
    files: /^pwa\/pages\//,
    may: ['shared', 'pwa/pages', 'pwa/features', 'pwa/components', 'pwa/lib', 'pwa/assets', 'pwa/messages.ts'],
    packages: 'any',
  },
  { files: /^pwa\//, may: ['shared', 'pwa'], packages: 'any' },
  {
    files: /^prisma\/seed\.ts$/,
    may: ['shared', 'prisma', 'api/services', 'api/app-context.ts', 'api/config.ts'],
    packages: 'any',
  },
  { files: /^prisma\//, may: ['prisma'], packages: 'any' },
  { files: /^tests\//, may: ['shared', 'api', 'bot', 'pwa', 'prisma', 'tests'], packages: 'any' },
];

/** The ports themselves, `api/adapters/<need>/<port>.ts`, are what services and doors speak to; the adapters are not. */
function ports(): string[] {
  return [
    'storage/object-storage',
    'mail/mailer',
    'push/push-sender',
    'generation-engines/generation-engine',
    'payments/payment-provider',
    'video-encoder/video-encoder',
  ].map((port) => `api/adapters/${port}.ts`);
}

interface Import {
  from: string;
  /** As it is written. */
  specifier: string;
  /** The file inside the repository; null for a package. */
  target: string | null;
  isTypeOnly: boolean;
}

const files = globSync('{shared,api,bot,pwa,prisma,tests}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.startsWith('prisma/generated/'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
const imports = files.filter((file) => !file.endsWith('.as.ts')).flatMap(readImports);

function readImports(from: string): Import[] {
  const text = texts.get(from) ?? '';
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean) =>
    found.push({ from, specifier, target: resolve(from, specifier), isTypeOnly });
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)) {
    add(match[2] ?? '', match[1] !== undefined);
  }
  for (const match of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) add(match[1] ?? '', false);
  return found;
}

function resolve(from: string, specifier: string): string | null {
  const bare = specifier.split('?')[0] ?? '';
  if (bare.startsWith('#')) return bare.slice(1);
  return bare.startsWith('.') ? path.posix.join(path.posix.dirname(from), bare) : null;
}

function isWithin(file: string, room: string): boolean {
  return file === room || file.startsWith(`${room}/`);
}

function complaints(isWrong: (item: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ from, specifier }) => `${from} imports ${specifier}`);
}

test('every room imports only downwards', () => {
  const wrong = complaints(({ from, specifier, target }) => {
    const room = ROOMS.find(({ files: pattern }) => pattern.test(from));
    if (!room) return true;
    if (target !== null) return !room.may.some((allowed) => isWithin(target, allowed));
    return room.packages !== 'any' && !room.packages.includes(specifier);
  });
  expect(wrong).toEqual([]);
});

test('services and doors know the context as a type only', () => {
  const wrong = complaints(
    ({ from, target, isTypeOnly }) =>
      /^api\/(services|routes|jobs|plugins)\//.test(from) && target === 'api/app-context.ts' && !isTypeOnly,
  );
  expect(wrong).toEqual([]);
});

test('features never import each other, apart from what all tools have in common', () => {
  const feature = (file: string) => /^pwa\/features\/([^/]+)\//.exec(file)?.[1];
  const wrong = complaints(({ from, target }) => {
    const own = feature(from);
    const other = feature(target ?? '');
    return own !== undefined && other !== undefined && own !== other && other !== 'generations';
  });
  expect(wrong).toEqual([]);
});

test('services do not import each other in a circle', () => {
  const uses = Map.groupBy(
    imports.filter(
      ({ from, target, isTypeOnly }) =>
        !isTypeOnly && [from, target ?? ''].every((file) => file.startsWith('api/services/')),
    ),
    ({ from }) => from,
  );
  const reaches = (file: string, goal: string, seen = new Set<string>()): boolean =>
    (uses.get(file) ?? []).some(({ target }) => {
      if (target === goal) return true;
      if (target === null || seen.has(target)) return false;
      seen.add(target);
      return reaches(target, goal, seen);
    });
  expect([...uses.keys()].filter((file) => reaches(file, file))).toEqual([]);
});

test('imports name a neighbour or a room, and the file with its ending', () => {
  expect(complaints(({ specifier }) => specifier.includes('../'))).toEqual([]);
  expect(complaints(({ specifier, target }) => target !== null && !/\.\w+(\?\w+)?$/.test(specifier))).toEqual([]);
});

test('files have kebab-case names', () => {
  expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(path.basename(file)))).toEqual([]);
});

test('no file written by hand is longer than 350 lines', () => {
  const long = files.filter((file) => (texts.get(file) ?? '').split('\n').length > MAX_LINES + 1);
  expect(long).toEqual([]);
});

test('only the configuration and the start read the environment', () => {
  const readers = files.filter(
    (file) =>
      !/^(api\/config\.ts|api\/commands\/|tests\/)/.test(file) && /\bprocess\.env\b/.test(texts.get(file) ?? ''),
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
