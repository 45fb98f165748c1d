import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { lockFile } from '#api/adapters/file-lock.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longer than any build: whoever starts second in a folder waits for the first. */
const BUILD_WAIT_MS = 5 * 60_000;
const SCHEMA = 'prisma/schema.prisma';
/** The client as TypeScript: its types, and what the bundle is made of. */
const GENERATED_CLIENT = path.join(ROOT, 'prisma/generated');
const BUNDLER_CONFIG = 'prisma/bundle-client.config.ts';
/** The client as `imports` of package.json names it, with the parts of Prisma that it runs on: one file. */
const BUNDLED_CLIENT = path.join(ROOT, 'dist/database-client');
const CLIENT_FILE = 'client.mjs';
const PWA_SOURCES = ['pwa/**', 'shared/**', 'vite.config.ts', 'package-lock.json'];
/** Inside the interface's folder: makes documents of its public pages. */
const PAGE_RENDERER = 'prerendering/create-page-renderer.tsx';
const PWA_LINK = path.join(ROOT, 'dist/pwa');

/** A step before the start failed; the message holds what it said, or what the operator has to do. */
class PrepareError extends Error {
  override name = 'PrepareError';
}

/** Something that is made from the sources. */
interface Product {
  name: string;
  isUpToDate(): boolean;
  /** False where the development packages that make it are not installed. */
  canBeBuilt(): boolean;
  build(): void;
}

/**
 * Brings up to date what is made from the sources, and skips what already is: the database client, and with `pwa` the
 * built interface. Two starts in one folder do not disturb each other. Must run before anything imports the client.
 * Without development packages nothing is made: throws a PrepareError that says what to do when something is missing.
 */
export function prepare({ pwa }: { pwa: boolean }): void {
  const products = pwa ? [describeClient(), describePwa()] : [describeClient()];
  const outdated = products.filter((product) => !product.isUpToDate());
  if (outdated.length === 0) return;
  const missing = outdated.filter((product) => !product.canBeBuilt());
  if (missing.length > 0) throw new PrepareError(describeMissing(missing.map(({ name }) => name)));
  const lock = lockFile(path.join(ROOT, '.cache/prepare.lock'), BUILD_WAIT_MS);
  try {
    // Another start may have made it while this one stood in line.
    for (const product of outdated) if (!product.isUpToDate()) product.build();
  } finally {
    lock.release();
  }
}

function describeMissing(names: string[]): string {
  return (
    `Not built from these sources: ${names.join(' and ')}. The packages that build are not installed here. ` +
    'Run `npm ci && npm run build && npm ci --omit=dev`, or build in another folder with the same sources and copy ' +
    'its `dist` here.'
  );
}

function describeClient(): Product {
  const hash = hashFiles([SCHEMA, BUNDLER_CONFIG, 'package-lock.json']);
  const canBeBuilt = () => isInstalled('prisma') && isInstalled('vite');
  return {
    name: 'the database client',
    // Only development needs the types.
    isUpToDate: () =>
      existsSync(path.join(BUNDLED_CLIENT, CLIENT_FILE)) &&
      readStamp(BUNDLED_CLIENT) === hash &&
      (readStamp(GENERATED_CLIENT) === hash || !canBeBuilt()),
    canBeBuilt,
    build: () => buildClient(hash),
  };
}

function buildClient(hash: string): void {
  console.log('Generating the database client.');
  runBinary('prisma/build/index.js', ['generate', `--schema=${SCHEMA}`], {
    // The client needs no schema engine, but without a program in its place Prisma would download one.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  const draft = `${BUNDLED_CLIENT}.draft`;
  runBinary('vite/bin/vite.js', ['build', '--config', BUNDLER_CONFIG, '--outDir', draft, '--emptyOutDir'], {});
  mkdirSync(BUNDLED_CLIENT, { recursive: true });
  renameSync(path.join(draft, CLIENT_FILE), path.join(BUNDLED_CLIENT, CLIENT_FILE));
  rmSync(draft, { recursive: true });
  for (const folder of [BUNDLED_CLIENT, GENERATED_CLIENT]) writeFileSync(stampOf(folder), hash);
}

function stampOf(folder: string): string {
  return path.join(folder, '.made-from');
}

function readStamp(folder: string): string | null {
  return existsSync(stampOf(folder)) ? readFileSync(stampOf(folder), 'utf8') : null;
}

function describePwa(): Product {
  const hash = hashFiles(PWA_SOURCES);
  const build = path.join(ROOT, `dist/pwa-${hash}`);
  return {
    name: 'the interface',
    isUpToDate: () => existsSync(build) && readLink(PWA_LINK) === build,
    canBeBuilt: () => existsSync(build) || isInstalled('vite'),
    build: () => buildPwa(build, hash),
  };
}

/**
 * Each build stands in a folder of its own that `dist/pwa` points to, so a server that still runs keeps serving the
 * one it started with. The one before is kept for that server.
 */
function buildPwa(build: string, hash: string): void {
  if (!existsSync(build)) {
    console.log('Building the interface.');
    const draft = `${build}.draft`;
    rmSync(draft, { recursive: true, force: true });
    buildWithVite(['--outDir', draft], hash);
    compressTexts(draft);
    // Hidden in the folder that is served: for the server alone.
    buildWithVite(['--ssr', PAGE_RENDERER, '--outDir', path.join(draft, '.prerendering')], hash);
    renameSync(draft, build);
  }
  const previous = readLink(PWA_LINK);
  const link = `${PWA_LINK}.new`;
  rmSync(link, { force: true });
  // By its name alone, so that `dist` may be copied to another place.
  symlinkSync(path.basename(build), link, 'junction');
  if (previous === null) rmSync(PWA_LINK, { recursive: true, force: true });
  renameSync(link, PWA_LINK);
  for (const other of globSync(path.join(ROOT, 'dist/pwa-*'))) {
    if (other !== build && other !== previous) rmSync(other, { recursive: true, force: true });
  }
}

/** `buildId`: what this very build left on a device no other build may read. */
function buildWithVite(args: string[], buildId: string): void {
  runBinary('vite/bin/vite.js', ['build', ...args, '--emptyOutDir', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
    VITE_BUILD_ID: buildId,
  });
}

function readLink(file: string): string | null {
  try {
    return path.resolve(path.dirname(file), readlinkSync(file));
  } catch {
    // Not there yet, or a folder that somebody's own build left.
    return null;
  }
}

function isInstalled(packageName: string): boolean {
  return existsSync(path.join(ROOT, 'node_modules', packageName, 'package.json'));
}

/** A package's own script in a process of its own, on this very Node. What it says is shown only when it fails. */
function runBinary(script: string, args: string[], env: Record<string, string>): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new PrepareError(`${script} ${args[0]} failed:\n${stdout}${stderr}`);
}

function hashFiles(patterns: string[]): string {
  const hash = createHash('sha256');
  const files = globSync(patterns, { cwd: ROOT }).sort();
  for (const file of files) {
    const absolute = path.join(ROOT, file);
    if (statSync(absolute).isFile()) hash.update(`${file}\0`).update(readFileSync(absolute));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Smaller files gain nothing. */
const MIN_BYTES = 1024;

/** Writes a `.br` and a `.gz` beside every text of a built interface; the server sends them as they are. */
function compressTexts(folder: string): void {
  for (const name of globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder })) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    if (content.length < MIN_BYTES) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
