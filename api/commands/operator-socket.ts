import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { AppContext } from '#api/services/app-context.ts';
import { isOperatorCommand, OPERATOR_COMMANDS } from './operator-commands.ts';

const SOCKET_NAME = 'operator.sock';
/** Limit for a socket's address (104 bytes on macOS, 108 on Linux, including the final zero). */
const MAX_ADDRESS_BYTES = 100;

const request = z.object({ name: z.string(), args: z.array(z.string()) });
const answer = z.union([z.object({ output: z.string() }), z.object({ error: z.string() })]);

/**
 * Lets the operator's commands reach the process that holds the embedded database, through a socket in DATA_DIR that
 * only the folder's owner can open. The caller holds the folder's lock, so an existing socket belongs to a dead
 * process.
 */
export async function listenForOperator(app: AppContext): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => void serve(app, socket));
  await withSocketAddress(app.config.dataDir, async (address) => {
    rmSync(path.join(app.config.dataDir, SOCKET_NAME), { force: true });
    const before = process.umask(0o077);
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
    } finally {
      process.umask(before);
    }
  });
  // The socket alone must not keep the process alive.
  server.unref();
}

async function serve(app: AppContext, socket: Socket): Promise<void> {
  // The command may have ended before the answer. Without a listener that would end this process.
  socket.on('error', (error) => app.log.warn({ err: error }, 'an operator’s command lost its caller'));
  try {
    const { name, args } = request.parse(JSON.parse(await text(socket)));
    if (!isOperatorCommand(name)) throw new Error(`There is no command ${name}`);
    socket.end(JSON.stringify({ output: await OPERATOR_COMMANDS[name](app, args) }));
  } catch (error) {
    socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
  }
}

/** Runs the command in the running process. Null when there is none. Throws an Error with the command's own message. */
export async function askRunningProcess(dataDir: string, name: string, args: string[]): Promise<string | null> {
  return withSocketAddress(dataDir, async (address) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isConnected) return null;
    socket.end(JSON.stringify({ name, args }));
    const result = answer.parse(JSON.parse(await text(socket)));
    if ('error' in result) throw new Error(result.error);
    return result.output;
  });
}

/**
 * A socket's address must be short. A data folder with a long path is reached through a link in a private temporary
 * folder.
 */
async function withSocketAddress<T>(dataDir: string, use: (address: string) => Promise<T>): Promise<T> {
  const direct = path.join(dataDir, SOCKET_NAME);
  if (process.platform === 'win32') return use(`\\\\.\\pipe\\podium-${dataDir.replaceAll(/[\\/:]/g, '-')}`);
  if (Buffer.byteLength(direct) <= MAX_ADDRESS_BYTES) return use(direct);
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-'));
  try {
    symlinkSync(dataDir, path.join(folder, 'd'));
    return await use(path.join(folder, 'd', SOCKET_NAME));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
