import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections and to servers that ask for any port. */
const FIRST_PORT = 12_000;
/** Each process of the tests takes its ports from a row of its own, which its pid tells. */
const ROWS = 150;
const ROW_LENGTH = 120;

let taken = 0;

/**
 * A port for a program that starts later. Nobody else gets it meanwhile: neither a server that asks the system for any
 * port, nor a test of another process.
 */
export async function findFreePort(): Promise<number> {
  const row = FIRST_PORT + (process.pid % ROWS) * ROW_LENGTH;
  for (let tries = 0; tries < ROW_LENGTH; tries++) {
    const port = row + (taken++ % ROW_LENGTH);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${row} to ${row + ROW_LENGTH - 1} is free`);
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
