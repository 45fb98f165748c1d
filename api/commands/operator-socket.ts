import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { FolderInUseError } from '#api/adapters/embedded-postgres/folder-lock.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { describePatient, examine } from './doctor/examine.ts';
import { isOperatorCommand, OPERATOR_COMMANDS, type OperatorCall } from './operator-commands.ts';
import { splitLines } from './split-lines.ts';

const SOCKET_NAME = 'operator.sock';
/** Limit for a socket's address (104 bytes on macOS, 108 on Linux, including the final zero). */
const MAX_ADDRESS_BYTES = 100;

/** A server that is starting holds the folder for a while before it listens. */
const STARTING_TRIES = 40;
const STARTING_PAUSE_MS = 500;
/** How often the process shows that it still works on a command. */
const ALIVE_EVERY_MS = 5_000;
/** A process that is silent for longer hangs. */
const SILENCE_MS = 30_000;

const request = z.object({ name: z.string(), args: z.array(z.string()), cwd: z.string() });
/** One line of the answer. `output` and `error` are the last. */
const message = z.union([
  z.object({ output: z.string() }),
  z.object({ error: z.string() }),
  z.object({ report: z.string() }),
  z.object({ alive: z.literal(true) }),
]);
type Message = z.infer<typeof message>;

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
  const gone = new AbortController();
  // The command may have ended before the answer. Without a listener that would end this process.
  socket.on('error', (error) => app.log.warn({ err: error }, 'an operator’s command lost its caller'));
  socket.once('close', () => gone.abort(new Error('the caller has gone')));
  const tell = (message: Message) => socket.write(`${JSON.stringify(message)}\n`);
  const alive = setInterval(() => tell({ alive: true }), ALIVE_EVERY_MS);
  try {
    const asked = await text(socket);
    // Somebody only looked whether this process runs.
    if (asked === '') return;
    const { name, args, cwd } = request.parse(JSON.parse(asked));
    const call = { cwd, report: (line: string) => void tell({ report: line }), signal: gone.signal };
    tell({ output: await run(app, name, args, call) });
  } catch (error) {
    tell({ error: error instanceof Error ? error.message : String(error) });
  } finally {
    clearInterval(alive);
    socket.end();
  }
}

/** The doctor is the only one that examines the parts of this very process. */
async function run(app: AppContext, name: string, args: string[], call: OperatorCall): Promise<string> {
  if (name === 'doctor') return JSON.stringify(await examine(describePatient(app)));
  if (!isOperatorCommand(name)) throw new Error(`There is no command ${name}`);
  return OPERATOR_COMMANDS[name](app, args, call);
}

/**
 * Runs the command in the running process and passes its progress to `report`. Null when there is no such process.
 * Throws an Error with the command's own message, or one that says that the process does not answer.
 */
export async function askRunningProcess(
  dataDir: string,
  name: string,
  args: string[],
  report: (line: string) => void = () => {},
): Promise<string | null> {
  const socket = await connectTo(dataDir);
  if (!socket) return null;
  socket.end(JSON.stringify({ name, args, cwd: process.cwd() }));
  const silence = new Error(`The process that runs on ${dataDir} does not answer. Look at its log, or start it again.`);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(silence));
  for await (const line of splitLines(socket.setEncoding('utf8'))) {
    const told = message.parse(JSON.parse(line));
    if ('error' in told) throw new Error(told.error);
    if ('output' in told) return told.output;
    if ('report' in told) report(told.report);
  }
  throw new Error(`The process that runs on ${dataDir} has ended before the command did.`);
}

/**
 * Asks the process that holds the embedded database, or works here when none does. A process that is starting or
 * stopping holds the folder without an answer, and is waited for.
 */
export async function runWhereTheDataAre<T>(ask: () => Promise<T | null>, here: () => Promise<T>): Promise<T> {
  for (let triesLeft = STARTING_TRIES; ; triesLeft--) {
    const answer = await ask();
    if (answer !== null) return answer;
    try {
      return await here();
    } catch (error) {
      if (!(error instanceof FolderInUseError) || triesLeft === 0) throw error;
      await wait(STARTING_PAUSE_MS);
    }
  }
}

/** Whether a process answers in this data folder. */
export async function isProcessListening(dataDir: string): Promise<boolean> {
  const socket = await connectTo(dataDir);
  socket?.destroy();
  return socket !== null;
}

/** Null when nobody listens. */
function connectTo(dataDir: string): Promise<Socket | null> {
  return withSocketAddress(dataDir, async (address) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    return isConnected ? socket : null;
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
