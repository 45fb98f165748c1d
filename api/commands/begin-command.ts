import { statSync } from 'node:fs';
import { trustAuthorities } from '#api/adapters/trust-authorities.ts';
import type { CommandConfig } from '#api/config/config.ts';

/** What each command of the operator does before anything else. Throws an Error whose message is for the operator. */
export function beginCommand({ dataDir, extraAuthorities }: Pick<CommandConfig, 'dataDir' | 'extraAuthorities'>): void {
  assertNotRootAmongOthers(dataDir);
  trustAuthorities(extraAuthorities);
}

/** Root may write everywhere, but the server could not read or replace what root has made in its folder. */
function assertNotRootAmongOthers(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid = 0, gid = 0 } = statSync(dataDir, { throwIfNoEntry: false }) ?? {};
  if (uid === 0) return;
  throw new Error(
    `DATA_DIR: a folder of the user that runs this command (is «${dataDir}», which belongs to the user ${uid}, and root runs ` +
      'it). The server could not read what root makes there. With systemd, call ' +
      'operations/systemd/podium-command, see docs/installation.md. Elsewhere begin with ' +
      `«setpriv --reuid=${uid} --regid=${gid} --clear-groups».`,
  );
}
