import { parseArgs } from 'node:util';
import { type Logger, pino } from 'pino';
import {
  createMailer,
  createPageProviders,
  createStorage,
  createTelegram,
  listRemoteEngines,
} from '#api/app-context.ts';
import { beginCommand } from '#api/commands/begin-command.ts';
import { type Config, ConfigError, inspectConfig } from '#api/config/config.ts';
import type { Environment } from '#api/config/settings.ts';
import { type DatabaseHandle, openExistingDatabase } from '#api/database/database.ts';
import { FolderInUseError } from '#api/database/embedded/folder-lock.ts';
import { type CheckedParts, checkOtherParts, diagnose } from './diagnose.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const SIGNS = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };

/** Something failed. Its message is what the command prints. */
class TroublesFoundError extends Error {
  override readonly name = 'TroublesFoundError';
}

/**
 * `npm run doctor`: examines the settings of this folder, and with them all parts. Changes nothing. Throws
 * TroublesFoundError with the same text when anything failed. `env` is for tests.
 */
export async function runDoctorCommand(args: string[], env?: Environment): Promise<string> {
  const { json } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values;
  const findings = await checkAll(env);
  const text = json ? JSON.stringify(findings, null, 2) : describe(findings);
  if (hasFailed(findings)) throw new TroublesFoundError(text);
  return text;
}

async function checkAll(env: Environment | undefined): Promise<Finding[]> {
  let config: Config;
  try {
    config = inspectConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const text = 'The other parts were not examined, because they depend on the settings';
    return [...error.problems.map(failed), warning(text)].map((one) => ({ part: 'settings', ...one }));
  }
  beginCommand(config);
  const remarks = [...config.unreadSettings, ...config.unwiseSettings].map(warning);
  const settings = [ok('a start would accept them'), ...remarks].map((one) => ({ part: 'settings', ...one }));
  return [...settings, ...(await checkParts(config))];
}

/** Opens the parts without a queue and without the engine that works in the process, because both change something. */
async function checkParts(config: Config): Promise<Finding[]> {
  const log = pino({ level: 'silent' });
  const database = await openOrExplain(config, log);
  const mailer = createMailer(config);
  try {
    const rest = {
      config,
      storage: await createStorage(config),
      mailer,
      telegram: await createTelegram(config),
      providers: createPageProviders(config),
      engines: listEngines(config, log),
    };
    if ('state' in database) return [database, ...(await checkOtherParts(rest))];
    const findings = await diagnose({ ...rest, db: database.db });
    // What failed says nothing if the database went away meanwhile.
    const ended = hasFailed(findings) ? await database.findEndedProgram() : null;
    if (ended) throw ended;
    return findings;
  } finally {
    await mailer.close();
    if ('close' in database) await database.close();
  }
}

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'failed');
}

/** The database, or what keeps it from being opened. Throws FolderInUseError. */
async function openOrExplain(config: Config, log: Logger): Promise<DatabaseHandle | Finding> {
  try {
    return await openExistingDatabase(config, log);
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    return { part: 'database', ...failed(error instanceof Error ? error.message : String(error)) };
  }
}

function listEngines(config: Config, log: Logger): CheckedParts['engines'] {
  const local = { name: 'local', open: async () => ({ name: 'local' }) };
  return [local, ...listRemoteEngines(config, log).map(({ name, create }) => ({ name, open: create }))];
}

function describe(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.map(({ part, state, text }) => `${part.padEnd(width)}  ${SIGNS[state].padEnd(7)}  ${text}`);
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  return `${lines.join('\n')}\n\n${count('failed')} failed, ${count('warning')} warnings, ${count('ok')} ok`;
}
