// @ts-check
// Every script of package.json starts here: `node api/commands/run.mjs [--development] <file> …`. Installs what
// package-lock.json names when that is not there, and runs the file with the Node of the package `node`. This file runs
// before anything is installed, on whatever Node the person has (20 or later), so it imports nothing but Node's own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './ensure-dependencies.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const given = process.argv.slice(2);
/** Building, testing and checking need the development packages. A start does not. */
const needsDevelopment = given[0] === '--development';
const [name = '', ...args] = needsDevelopment ? given.slice(1) : given;
const file = path.join(root, name);

if (!(await ensureDependencies({ needsDevelopment }))) process.exit(1);
if (isRightNode()) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
} else {
  await runWithRightNode();
}

/** npm puts `node_modules/.bin` first in PATH, so only the command that installs the packages starts on another Node. */
function isRightNode() {
  return existsSync(node) && realpathSync(node) === realpathSync(process.execPath);
}

async function runWithRightNode() {
  // Before the command starts: a signal that came between would end this process alone.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  const child = spawn(node, [...process.execArgv, file, ...args], { stdio: 'inherit' });
  const [exitCode, signal] = await once(child, 'exit');
  process.exitCode = exitCode ?? 1;
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}
