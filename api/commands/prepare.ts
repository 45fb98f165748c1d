import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
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
import { lockFile } from '#api/platform/file-lock.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longer than any build. A second start in the same folder waits for the first. */
const BUILD_WAIT_MS = 5 * 60_000;
const SCHEMA = 'prisma/schema.prisma';
/** The generated TypeScript client: the types and the source of the bundle. */
const GENERATED_CLIENT = path.join(ROOT, 'prisma/generated');
const BUNDLER_CONFIG = 'prisma/bundle-client.config.ts';
/** The bundled client, with the needed parts of Prisma. `imports` of package.json points here. */
const BUNDLED_CLIENT = path.join(ROOT, 'dist/database-client');
const CLIENT_FILE = 'client.mjs';
const PWA_SOURCES = ['pwa/**', 'shared/**', 'vite.config.ts', 'package-lock.json'];
/** Inside the interface's folder. Renders documents of its public pages. */
const PAGE_RENDERER = 'prerendering/create-page-renderer.tsx';
const PWA_LINK = path.join(ROOT, 'dist/pwa');

/** A step before the start failed. The message holds its output or tells the operator what to do. */
class PrepareError extends Error {
  override name = 'PrepareError';
}

/** Something that is built from the sources. */
interface Product {
  name: string;
  isUpToDate(): boolean;
  /** False when the development packages that build it are not installed. */
  canBeBuilt(): boolean;
  build(): void;
}

/**
 * Builds what is outdated: the database client and, with `pwa`, the interface. Two starts in one folder do not disturb
 * each other. Must run before anything imports the client. Without development packages nothing is built. Then it
 * throws a PrepareError that says what to do, if something is missing.
 */
export function prepare({ pwa }: { pwa: boolean }): void {
  const products = pwa ? [describeClient(), describePwa()] : [describeClient()];
  const outdated = products.filter((product) => !product.isUpToDate());
  if (outdated.length === 0) return;
  const missing = outdated.filter((product) => !product.canBeBuilt());
  if (missing.length > 0) throw new PrepareError(describeMissing(missing.map(({ name }) => name)));
  const lock = lockFile(path.join(ROOT, '.cache/prepare.lock'), BUILD_WAIT_MS);
  try {
    // Another start may have built it while this one was waiting.
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
    // The client needs no schema engine, but Prisma would download one unless this names a program.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  const draft = `${BUNDLED_CLIENT}.draft`;
  runBinary('vite/bin/vite.js', ['build', '--config', BUNDLER_CONFIG, '--outDir', draft, '--emptyOutDir'], {
    NODE_ENV: 'production',
  });
  for (const folder of [draft, GENERATED_CLIENT]) writeFileSync(stampOf(folder), hash);
  rmSync(BUNDLED_CLIENT, { recursive: true, force: true });
  renameSync(draft, BUNDLED_CLIENT);
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
 * Each build has its own folder, and `dist/pwa` links to the current one. A running server keeps serving the build it
 * started with, so the previous build is kept.
 */
function buildPwa(build: string, hash: string): void {
  if (!existsSync(build)) {
    console.log('Building the interface.');
    const draft = `${build}.draft`;
    rmSync(draft, { recursive: true, force: true });
    buildWithVite(['--outDir', draft], hash);
    compressTexts(draft);
    // In a hidden subfolder, because the renderer is for the server only.
    buildWithVite(['--ssr', PAGE_RENDERER, '--outDir', path.join(draft, '.prerendering')], hash);
    renameSync(draft, build);
  }
  const previous = readLink(PWA_LINK);
  const link = `${PWA_LINK}.new`;
  rmSync(link, { force: true });
  // A relative link, so that `dist` can be copied elsewhere.
  symlinkSync(path.basename(build), link, 'junction');
  if (previous === null) rmSync(PWA_LINK, { recursive: true, force: true });
  renameSync(link, PWA_LINK);
  for (const other of globSync(path.join(ROOT, 'dist/pwa-*'))) {
    if (other !== build && other !== previous) rmSync(other, { recursive: true, force: true });
  }
}

/** `buildId`: separates what this build stores on a device from the data of other builds. */
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
    // The link does not exist yet, or somebody's own build left a folder there.
    return null;
  }
}

function isInstalled(packageName: string): boolean {
  return existsSync(path.join(ROOT, 'node_modules', packageName, 'package.json'));
}

/** Runs a package's script in a process of its own, on the same Node. Its output is shown only when it fails. */
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

/** Compressing smaller files gains nothing. */
const MIN_BYTES = 1024;

/** Writes a `.br` and a `.gz` next to every text file of a built interface. The server sends them unchanged. */
function compressTexts(folder: string): void {
  for (const name of globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder })) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    if (content.length < MIN_BYTES) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
