import { createHmac } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { OperatorContext, Report } from '#api/commands/operator-context.ts';
import {
  type Manifest,
  makeBackupFolder,
  openChecked,
  placesIn,
  writeManifest,
  writeNewFile,
} from './backup-folder.ts';
import { saveFiles } from './copy-files.ts';
import { dumpRows } from './dump-rows.ts';

/**
 * `npm run backup -- <folder>`: writes all rows of one moment, then the files that they name, then the secrets of
 * DATA_DIR, and last the manifest. The server may run meanwhile. Throws an Error for the operator.
 */
export async function runBackupCommand(app: OperatorContext, args: string[], report: Report): Promise<string> {
  const folder = readFolderArgument('backup', args);
  await makeBackupFolder(folder);
  const keyList = path.join(folder, 'keys.draft');
  const rows = await dumpRows(app.db, folder, keyList, report);
  const files = await saveFiles(app.storage, folder, keyList, report);
  await rm(keyList);
  const manifest: Manifest = {
    format: 1,
    madeAt: new Date().toISOString(),
    ...rows,
    files,
    secrets: await saveSecrets(app.config.dataDir, folder),
    sessionSecretFingerprint: fingerprintSessionSecret(app.config),
  };
  await writeManifest(folder, manifest);
  return describe(folder, manifest);
}

export function readFolderArgument(command: string, args: string[]): string {
  const [folder, ...rest] = args;
  if (!folder || folder.startsWith('-') || rest.length > 0) {
    throw new Error(`npm run ${command} -- <folder>: the folder of a backup (found «${args.join(' ')}»)`);
  }
  return path.resolve(folder);
}

async function saveSecrets(dataDir: string, folder: string): Promise<Manifest['secrets']> {
  const source = path.join(dataDir, 'secrets');
  const names = await readdir(source).catch((error: NodeJS.ErrnoException) => {
    // Without the folder all secrets come from the environment.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const secrets: Manifest['secrets'] = {};
  for (const name of names) {
    const content = await readFile(path.join(source, name));
    secrets[name] = await writeNewFile(path.join(placesIn(folder).secrets, name), content);
  }
  return secrets;
}

/** Null without a secret. A command that needs none may be called without it. */
export function fingerprintSessionSecret(config: Pick<OperatorContext['config'], 'sessionSecret'>): string | null {
  try {
    return createHmac('sha256', config.sessionSecret).update('podium backup').digest('hex').slice(0, 16);
  } catch {
    return null;
  }
}

/** Puts the secrets into a data folder. One that is there stays as it is. Returns the names of those that were put. */
export async function restoreSecrets(dataDir: string, folder: string, backup: Manifest): Promise<string[]> {
  const target = path.join(dataDir, 'secrets');
  await mkdir(target, { recursive: true, mode: 0o700 });
  const there = new Set(await readdir(target));
  const missing = Object.entries(backup.secrets).filter(([name]) => !there.has(name));
  for (const [name, expected] of missing) {
    // Read to its end before anything is written, because half a secret would be taken for a whole one.
    const content = await buffer(openChecked(path.join(placesIn(folder).secrets, name), expected));
    await writeNewFile(path.join(target, name), content);
  }
  return missing.map(([name]) => name);
}

function describe(folder: string, { tables, jobs, files, secrets }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows.lines, 0);
  const lines = [
    `The backup is in ${folder}: ${rows} rows of ${tables.length} tables, ${jobs.lines} unfinished jobs, ` +
      `${files.stored} files, ${Object.keys(secrets).length} secrets of DATA_DIR.`,
    'Settings and secrets of the environment (.env) are not in it. Keep them apart from it.',
  ];
  if (files.missing > 0) {
    lines.push(
      `${files.missing} files that rows name are missing in the storage; files.jsonl lists them without sizes.`,
    );
  }
  return lines.join('\n');
}
