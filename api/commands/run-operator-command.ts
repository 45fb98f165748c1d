import { pino } from 'pino';
import { createStorage } from '#api/app-context.ts';
import { type CommandConfig, readCommandConfig } from '#api/config/config.ts';
import { openExistingDatabase } from '#api/database/database.ts';
import { createProcessState } from '#api/services/core/process-state.ts';
import { runAdminCommand } from './admin.ts';
import { runBackupCommand } from './backup/backup.ts';
import { runRestoreCommand } from './backup/restore.ts';
import { beginCommand } from './begin-command.ts';
import { runBooksCommand } from './books.ts';
import { runDoctorCommand } from './doctor/doctor.ts';
import type { OperatorContext, Report } from './operator-context.ts';
import { runPackagesCommand } from './packages.ts';

/** Commands that work on an existing database, by their name after `npm run`. Each returns the text to print. */
const COMMANDS = new Map<string, (app: OperatorContext, args: string[], report: Report) => Promise<string>>([
  ['admin', runAdminCommand],
  ['backup', runBackupCommand],
  ['books', runBooksCommand],
  ['packages', runPackagesCommand],
]);

/**
 * Runs an operator's command and returns its output. The embedded database of a running program is used through its
 * socket in DATA_DIR; otherwise it is opened here. Creates no folder and no table, unless the command is `restore`,
 * which needs a target without a server. Throws an Error whose message is for the operator. `given` and `report` are
 * for tests.
 */
export async function runOperatorCommand(
  name: string,
  args: string[],
  given?: CommandConfig,
  report: Report = console.error,
): Promise<string> {
  if (name === 'doctor') return runDoctorCommand(args);
  const config = given ?? readCommandConfig();
  beginCommand(config);
  if (name === 'restore') return runRestoreCommand(config, args, report);
  const run = COMMANDS.get(name);
  if (!run) throw new Error(`There is no command ${name}`);
  const database = await openExistingDatabase(config, pino({ level: 'warn' }));
  try {
    // Reveals a forgotten DATA_DIR: the message names the folder that is used.
    if (database.isOpenedHere) report(`No server runs on ${config.dataDir}; its database is opened here.`);
    const app = { db: database.db, config, state: createProcessState(), storage: await createStorage(config) };
    return await run(app, args, report);
  } catch (error) {
    throw (await database.findEndedProgram()) ?? error;
  } finally {
    await database.close();
  }
}
