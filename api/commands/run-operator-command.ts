import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { FolderInUseError } from '#api/adapters/embedded-postgres/folder-lock.ts';
import { readCommandConfig } from '#api/config.ts';
import { openExistingDatabase } from '#api/db.ts';
import { createProcessState } from '#api/services/ground/process-state.ts';
import { isOperatorCommand, OPERATOR_COMMANDS } from './operator-commands.ts';
import { askRunningProcess } from './operator-socket.ts';

/** A server that is starting holds the folder for a while before it listens. */
const STARTING_TRIES = 40;
const STARTING_PAUSE_MS = 500;

type CommandConfig = ReturnType<typeof readCommandConfig>;

/**
 * Runs an operator's command and returns its output. If a running process holds the embedded database, that process
 * runs it; otherwise the database is opened here. Creates no folder and no table. Throws an Error whose message is for
 * the operator. `config` is for tests.
 */
export async function runOperatorCommand(
  name: string,
  args: string[],
  config: CommandConfig = readCommandConfig(),
): Promise<string> {
  if (config.databaseUrl) return runHere(config, name, args);
  for (let triesLeft = STARTING_TRIES; ; triesLeft--) {
    const output = await askRunningProcess(config.dataDir, name, args);
    if (output !== null) return output;
    try {
      return await runHere(config, name, args);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || triesLeft === 0) throw error;
      await wait(STARTING_PAUSE_MS);
    }
  }
}

async function runHere(config: CommandConfig, name: string, args: string[]): Promise<string> {
  if (!isOperatorCommand(name)) throw new Error(`There is no command ${name}`);
  const database = await openExistingDatabase(config, pino({ level: 'warn' }));
  try {
    // Reveals a forgotten DATA_DIR: the message names the folder that is used.
    if (!config.databaseUrl) console.error(`No server runs on ${config.dataDir}; its database is opened here.`);
    return await OPERATOR_COMMANDS[name]({ db: database.db, config, state: createProcessState() }, args);
  } finally {
    await database.close();
  }
}
