import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { FolderInUseError } from '#api/adapters/embedded-postgres/folder-lock.ts';
import { createAppContext } from '#api/app-context.ts';
import { type Config, readConfig } from '#api/config.ts';
import { isOperatorCommand, OPERATOR_COMMANDS } from './operator-commands.ts';
import { askRunningProcess } from './operator-socket.ts';

/** A server that has just been started holds the folder a while before it listens. */
const STARTING_TRIES = 40;
const STARTING_PAUSE_MS = 500;

/**
 * Runs an operator's command and returns what it has to say: through the running process where that one holds the
 * embedded database, otherwise by opening the database here. Throws an Error whose message is for the operator.
 */
export async function runOperatorCommand(name: string, args: string[]): Promise<string> {
  const config = readConfig();
  if (config.databaseUrl) return runHere(config, name, args);
  for (let triesLeft = STARTING_TRIES; ; triesLeft--) {
    const output = await askRunningProcess(config.dataDir, name, args);
    if (output !== null) return output;
    try {
      // Whoever forgot the server's DATA_DIR sees that this is another one.
      console.error(`No server runs on ${config.dataDir}; its database is opened here.`);
      return await runHere(config, name, args);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || triesLeft === 0) throw error;
      await wait(STARTING_PAUSE_MS);
    }
  }
}

async function runHere(config: Config, name: string, args: string[]): Promise<string> {
  if (!isOperatorCommand(name)) throw new Error(`There is no command ${name}`);
  // Not as a worker: a command must not begin to render videos.
  const app = await createAppContext({ ...config, roles: ['api'] }, pino({ level: 'warn' }));
  try {
    return await OPERATOR_COMMANDS[name](app, args);
  } finally {
    await app.close();
  }
}
