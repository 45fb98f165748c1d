// @ts-check
// Runs before anything is installed, on whatever Node the person has (20 or later): plain JavaScript that imports
// nothing but Node's own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** npm writes this list of installed packages at the very end of an installation. */
const INSTALLED = path.join(root, 'node_modules/.package-lock.json');
/** Not inside node_modules, because `npm ci` removes that folder. */
const LOCK = path.join(root, '.cache/installing');
const REFRESH_MS = 1000;
/** A lock that is older belongs to a start that was killed. */
const STALE_MS = 10_000;

/**
 * A package in package-lock.json, and in npm's list of what is installed.
 * @typedef {{
 *   version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean,
 *   os?: string[], cpu?: string[],
 * }} Package
 */

/**
 * Installs the packages of package-lock.json when they are not installed for this machine. Returns false when npm
 * failed. A folder without development packages stays that way unless they are needed.
 * @param {{ needsDevelopment: boolean }} options
 */
export async function ensureDependencies({ needsDevelopment }) {
  if (isInstalled(needsDevelopment)) return true;
  await takeLock();
  const refreshing = setInterval(() => utimesSync(LOCK, new Date(), new Date()), REFRESH_MS);
  try {
    // Another start may have installed them while this one was waiting.
    return isInstalled(needsDevelopment) || (await install(needsDevelopment));
  } finally {
    clearInterval(refreshing);
    rmSync(LOCK, { force: true });
  }
}

/** @param {boolean} needsDevelopment */
function isInstalled(needsDevelopment) {
  const wanted = readPackages(path.join(root, 'package-lock.json')) ?? {};
  const installed = readPackages(INSTALLED);
  if (!installed || (needsDevelopment && isForProduction(installed))) return false;
  if (!Object.values(installed).every(isForThisMachine)) return false;
  const withDevelopment = !isForProduction(installed);
  return Object.entries(wanted).every(([name, { version, integrity, dev, optional, devOptional }]) => {
    // The project itself, and packages that npm silently skips on other platforms.
    if (name === '' || optional || (!withDevelopment && (dev || devOptional))) return true;
    return installed[name]?.version === version && installed[name]?.integrity === integrity;
  });
}

/** @param {Record<string, Package>} installed */
function isForProduction(installed) {
  return !Object.values(installed).some(({ dev }) => dev);
}

/** A folder that was copied from another machine has the wrong binaries. @param {Package} installed */
function isForThisMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/** @param {string[] | undefined} list @param {string} value */
function allows(list, value) {
  return !list || list.includes(value) || list.some((one) => one.startsWith('!') && one !== `!${value}`);
}

/** @param {string} file @returns {Record<string, Package> | null} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** @param {boolean} needsDevelopment */
async function install(needsDevelopment) {
  const installed = readPackages(INSTALLED);
  const which = installed && isForProduction(installed) && !needsDevelopment ? '--omit=dev' : '--include=dev';
  console.log(`Installing what package-lock.json names (npm ci ${which}); the first time this takes a minute or two.`);
  // Under npm this is npm's own script, so the same npm runs again.
  const npm = process.env.npm_execpath;
  const [command, ...start] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const child = spawn(command, [...start, 'ci', which, '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) console.error('npm ci failed; nothing was started. Its own message stands above.');
  return exitCode === 0;
}

/** Allows one installation at a time in a folder. A second one waits. */
async function takeLock() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  for (let isTold = false; ; isTold = true) {
    try {
      writeFileSync(LOCK, '', { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    }
    // In the instant between the two another waiter may have put its own lock there. Accepted: it takes a killed start
    // and two waiters, and then at worst two installations run at once, one fails, and the next start repeats it.
    if (ageMs(LOCK) > STALE_MS) rmSync(LOCK, { force: true });
    else if (!isTold) console.log('Another start is installing the dependencies; waiting for it.');
    await wait(REFRESH_MS / 4);
  }
}

/** @param {string} file */
function ageMs(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
