import { pino } from 'pino';
import { createStorage } from '#api/app-context.ts';
import { type CommandConfig, readCommandConfig } from '#api/config.ts';
import { openExistingDatabase } from '#api/db.ts';
import { createProcessState } from '#api/services/ground/process-state.ts';
import { runRestoreCommand } from './backup/restore.ts';
import { beginCommand } from './begin-command.ts';
import { runDoctorCommand } from './doctor/doctor.ts';
import { isOperatorCommand, OPERATOR_COMMANDS, type OperatorCall } from './operator-commands.ts';
import { askRunningProcess, runWhereTheDataAre } from './operator-socket.ts';

/**
 * Runs an operator's command and returns its output. If a running process holds the embedded database, that process
 * runs it; otherwise the database is opened here. Creates no folder and no table, unless the command is `restore`,
 * which needs a target without a server. Throws an Error whose message is for the operator. `given` and `report` are
 * for tests.
 */
export async function runOperatorCommand(
  name: string,
  args: string[],
  given?: CommandConfig,
  report: (line: string) => void = console.error,
): Promise<string> {
  if (name === 'doctor') return runDoctorCommand(args);
  const config = given ?? readCommandConfig();
  beginCommand(config);
  const call: OperatorCall = { cwd: process.cwd(), report, signal: new AbortController().signal };
  if (name === 'restore') return runRestoreCommand(config, args, call);
  if (config.databaseUrl) return runHere(config, name, args, call);
  return runWhereTheDataAre(
    () => askRunningProcess(config.dataDir, name, args, report),
    () => runHere(config, name, args, call),
  );
}

async function runHere(config: CommandConfig, name: string, args: string[], call: OperatorCall): Promise<string> {
  if (!isOperatorCommand(name)) throw new Error(`There is no command ${name}`);
  const database = await openExistingDatabase(config, pino({ level: 'warn' }));
  try {
    // Reveals a forgotten DATA_DIR: the message names the folder that is used.
    if (!config.databaseUrl) call.report(`No server runs on ${config.dataDir}; its database is opened here.`);
    const app = { db: database.db, config, state: createProcessState(), storage: await createStorage(config) };
    return await OPERATOR_COMMANDS[name](app, args, call);
  } finally {
    await database.close();
  }
}
