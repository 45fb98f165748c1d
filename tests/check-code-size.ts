// A check of `npm run check`: how much JavaScript the first pages load, against their budgets. Bytes do not vary.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The document loads them before everything else. */
const SCRIPTS = ['pwa/public/before-start.js', 'pwa/public/old-browser.js'];
/** What every page loads: the entry, and what the entry always imports. */
const START = ['pwa/main.tsx', 'pwa/app/prepare-storage.ts'];

/**
 * What the start waits for before it draws anything for somebody who is signed in for the first time (pwa/main.tsx).
 * Later it also waits for what restores stored answers (2 KiB), which the worker has on the device.
 */
const SIGNED_IN = ['pwa/features/tools/load-tools.ts'];

/** Pages with a budget, and the modules that are loaded for them before they are drawn. */
const MEASURED_PAGES = {
  '/': ['pwa/pages/landing-page.tsx'],
  '/auth': ['pwa/pages/auth-page.tsx'],
  '/app': ['pwa/app/app-layout.tsx', 'pwa/pages/app-page.tsx', ...SIGNED_IN],
} as const;
type MeasuredPage = keyof typeof MEASURED_PAGES;
/**
 * The most that the pages may load, in KiB of gzip. React, its router and the queries take 89 KiB of each,
 * react-hook-form takes 13 KiB of `/auth`, and zod with the schemas of the first answers takes 18 KiB of `/app`.
 */
const CODE_BUDGETS: Record<MeasuredPage, number> = { '/': 115, '/auth': 135, '/app': 150 };

interface CodeFile {
  gzipBytes: number;
  imports: readonly string[];
  /** Bytes of each module before minification. */
  modules: ReadonlyMap<string, number>;
}
/** Of the modules of a page that is too large. */
const SHOWN = 12;

const code = await buildCode();
for (const [page, budget] of Object.entries(CODE_BUDGETS) as [MeasuredPage, number][]) {
  const files = listClosure(code, page);
  const kib = weigh(files);
  console.log(`${page}: ${kib.toFixed(1)} KiB of code (gzip) in ${files.length} files, budget ${budget}`);
  if (kib <= budget) continue;
  process.exitCode = 1;
  console.log(`  ${page} is over its budget. Its largest modules, before minification:`);
  for (const [module, bytes] of listLargest(files)) console.log(`    ${(bytes / 1024).toFixed(1)} KiB ${module}`);
}

/**
 * Builds the interface as for production, in memory, and returns its files of code by name. Sets the environment of this
 * process to production, because the packages have their small form only there.
 */
async function buildCode(): Promise<Map<string, CodeFile>> {
  Object.assign(process.env, { NODE_ENV: 'production', VITE_BUILD_ID: '0'.repeat(16) });
  const { build, loadConfigFromFile } = await import('vite');
  const given = await loadConfigFromFile({ command: 'build', mode: 'production' }, path.join(ROOT, 'vite.config.ts'));
  if (!given) throw new Error('there is no vite.config.ts');
  const { plugins, resolve, build: options, root = '' } = given.config;
  const built = await build({
    configFile: false,
    root: path.join(ROOT, root),
    logLevel: 'error',
    ...(resolve ? { resolve } : {}),
    // The worker is a program of its own.
    plugins: (plugins ?? []).flat().filter((plugin) => !isOfWorker(plugin)),
    build: { ...options, write: false },
  });
  if (!('output' in built)) throw new Error('Vite has built several outputs, or watches');
  return new Map(
    built.output.flatMap((file) => {
      if (file.type !== 'chunk') return [];
      const modules = Object.entries(file.modules).map(
        ([id, { renderedLength }]) => [shorten(id), renderedLength] as const,
      );
      const gzipBytes = gzipSync(file.code, { level: 9 }).length;
      return [[file.fileName, { gzipBytes, imports: file.imports, modules: new Map(modules) }] as const];
    }),
  );
}

function isOfWorker(plugin: unknown): boolean {
  return plugin instanceof Object && 'name' in plugin && String(plugin.name).startsWith('vite-plugin-pwa');
}

function shorten(id: string): string {
  return path.relative(ROOT, id).split('?')[0] ?? id;
}

/** The files that a page loads without being asked twice: those of its modules, and all that they import. */
function listClosure(code: ReadonlyMap<string, CodeFile>, page: MeasuredPage): CodeFile[] {
  const names = [...START, ...MEASURED_PAGES[page]].map((module) => {
    const found = [...code].find(([, { modules }]) => modules.has(module));
    if (!found) throw new Error(`no file of the build contains ${module}`);
    return found[0];
  });
  const closure = new Set(names);
  // The set grows while it is walked through.
  for (const name of closure) for (const imported of code.get(name)?.imports ?? []) closure.add(imported);
  return [...closure].flatMap((name) => code.get(name) ?? []);
}

/** In KiB of gzip, with what the document loads before. */
function weigh(files: readonly CodeFile[]): number {
  const scripts = SCRIPTS.map((file) => ({
    gzipBytes: gzipSync(readFileSync(path.join(ROOT, file)), { level: 9 }).length,
  }));
  return [...scripts, ...files].reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / 1024;
}

function listLargest(files: readonly CodeFile[]): [string, number][] {
  const modules = files.flatMap((file) => [...file.modules]);
  return modules.toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
}
