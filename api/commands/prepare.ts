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
import { lockFile } from '#api/adapters/file-lock.ts';
import { compressTexts } from './compress-texts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longer than any build: whoever starts second in a folder waits for the first. */
const BUILD_WAIT_MS = 5 * 60_000;
const SCHEMA = 'prisma/schema.prisma';
const PWA_SOURCES = ['pwa/**', 'shared/**', 'vite.config.ts', 'package-lock.json'];
/** Inside the interface's folder: makes documents of its public pages. */
const PAGE_RENDERER = 'prerendering/create-page-renderer.tsx';
const PWA_LINK = path.join(ROOT, 'dist/pwa');

/**
 * Brings up to date what is made from the sources, and skips what already is: the database client, and with `pwa` the
 * built interface. Two starts in one folder do not disturb each other. Must run before anything imports the client.
 */
export function prepare({ pwa }: { pwa: boolean }): void {
  const lock = lockFile(path.join(ROOT, '.cache/prepare.lock'), BUILD_WAIT_MS);
  try {
    generateClient();
    if (pwa) buildPwa();
  } finally {
    lock.release();
  }
}

function generateClient(): void {
  const stamp = path.join(ROOT, 'prisma/generated/.made-from');
  const hash = hashFiles([SCHEMA, 'package-lock.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  console.log('Generating the database client.');
  runBinary('prisma/build/index.js', ['generate', `--schema=${SCHEMA}`], {
    // The client needs no schema engine, but without a program in its place Prisma would download one.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  writeFileSync(stamp, hash);
}

/**
 * Each build stands in a folder of its own that `dist/pwa` points to, so a server that still runs keeps serving the
 * one it started with. The one before is kept for that server.
 */
function buildPwa(): void {
  const hash = hashFiles(PWA_SOURCES);
  const build = path.join(ROOT, `dist/pwa-${hash}`);
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
  if (previous === build) return;
  const link = `${PWA_LINK}.new`;
  rmSync(link, { force: true });
  symlinkSync(build, link, 'junction');
  if (previous === null) rmSync(PWA_LINK, { recursive: true, force: true });
  renameSync(link, PWA_LINK);
  for (const other of globSync(path.join(ROOT, 'dist/pwa-*'))) {
    if (other !== build && other !== previous) rmSync(other, { recursive: true, force: true });
  }
}

/** `buildId`: data that one build stores on a device are not read by another build. */
function buildWithVite(args: string[], buildId: string): void {
  runBinary('vite/bin/vite.js', ['build', ...args, '--emptyOutDir', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
    VITE_BUILD_ID: buildId,
  });
}

function readLink(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    // Not there yet, or a folder that somebody's own build left.
    return null;
  }
}

/** A step before the start failed; the message holds its output. */
class PrepareError extends Error {
  override name = 'PrepareError';
}

/** Runs a package's script in a process of its own, on this Node. Its output is shown only when it fails. */
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
