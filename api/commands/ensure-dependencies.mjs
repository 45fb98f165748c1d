// @ts-check
// Runs before anything is installed, on whatever Node the person has (20 or later): plain JavaScript that imports
// nothing but Node's own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STAMP = path.join(root, 'node_modules/.podium-lock-hash');
/** Not inside node_modules, which `npm ci` removes. */
const LOCK = path.join(root, '.cache/installing');
const REFRESH_MS = 1000;
/** A lock that nobody has refreshed for so long belongs to a start that was killed. */
const STALE_MS = 10_000;

const wanted = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

if (!isInstalled()) {
  await takeLock();
  const refreshing = setInterval(() => utimesSync(LOCK, new Date(), new Date()), REFRESH_MS);
  try {
    // Another start may have installed them while this one stood in line.
    if (!isInstalled()) await install();
  } finally {
    clearInterval(refreshing);
    rmSync(LOCK, { force: true });
  }
}

function isInstalled() {
  try {
    return readFileSync(STAMP, 'utf8') === wanted;
  } catch {
    return false;
  }
}

async function install() {
  console.log('Installing the dependencies of package-lock.json (npm ci); the first time this takes a minute or two.');
  // Under npm this is its own script, so that the very same npm runs again.
  const npm = process.env.npm_execpath;
  const [command, ...start] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const child = spawn(command, [...start, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode === 0) {
    writeFileSync(STAMP, wanted);
  } else {
    console.error('npm ci failed; nothing was started. Its own message stands above.');
    process.exitCode = 1;
  }
}

/** One installation at a time in a folder: whoever comes second waits. */
async function takeLock() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  for (let isTold = false; ; isTold = true) {
    try {
      writeFileSync(LOCK, '', { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    }
    if (ageMs(LOCK) > STALE_MS) removeStaleLock();
    else if (!isTold) console.log('Another start is installing the dependencies; waiting for it.');
    await wait(REFRESH_MS / 4);
  }
}

function removeStaleLock() {
  const grave = `${LOCK}-${process.pid}`;
  try {
    renameSync(LOCK, grave);
    // Another start removed the stale lock first, so this is the fresh lock of a third. Put it back.
    if (ageMs(grave) < STALE_MS) renameSync(grave, LOCK);
    rmSync(grave, { force: true });
  } catch {
    // Another start was quicker.
  }
}

/** @param {string} file */
function ageMs(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
