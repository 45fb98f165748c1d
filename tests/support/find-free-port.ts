import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Below those that systems give to connections and to servers that ask for any port. */
const PORTS = { first: 12_000, count: 18_000 };
/** Longer than a program takes from here to its first use of the port. */
const RESERVED_MS = 15 * 60_000;
const MAX_TRIES = 1_000;

/** An empty file for each port that a test has. */
const FOLDER = path.join(tmpdir(), `podium-ports-${process.getuid?.() ?? ''}`);

/**
 * A port for a program that starts later. Nobody else gets it meanwhile: neither a server that asks the system for any
 * port, nor a test of another process.
 */
export async function findFreePort(): Promise<number> {
  forgetOldPorts();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (reserve(port) && (await isFree(port))) return port;
  }
  throw new Error('no port');
}

/** Returns false when another test has it. */
function reserve(port: number): boolean {
  try {
    writeFileSync(path.join(FOLDER, String(port)), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function forgetOldPorts(): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) {
    const file = path.join(FOLDER, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > RESERVED_MS) rmSync(file, { force: true });
  }
}

/** On every address, as the program listens. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
