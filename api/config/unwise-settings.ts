import { statfsSync } from 'node:fs';
import type { Environment, Settings } from './settings.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
/** Types of file systems that live in memory, from the manual of statfs(2): tmpfs and ramfs. */
const MEMORY_FILE_SYSTEMS = new Set([0x01021994, 0x858458f6]);
/** Secrets of ours that an attacker of one part must not learn from another. */
const SECRETS = ['SESSION_SECRET', 'TELEGRAM_WEBHOOK_SECRET', 'VAPID_PRIVATE_KEY', 'S3_SECRET_ACCESS_KEY'] as const;

/** Settings with which the server runs, but should not serve people, one sentence each. `dataDir` exists. */
export function describeUnwise(given: Environment, values: Settings, dataDir: string): string[] {
  if (values.NODE_ENV !== 'production') return [];
  const warnings: string[] = [];
  if (!values.DATABASE_URL) {
    warnings.push('DATABASE_URL is not set: the embedded database does not survive a loss of power');
  }
  if (!LOOPBACK.has(values.HOST) && values.TRUSTED_PROXIES.length === 0) {
    warnings.push(
      `HOST is «${values.HOST}» and TRUSTED_PROXIES is empty: behind a proxy all visitors would share one address`,
    );
  }
  // With an open HOST the line above says so.
  if (values.MEDIA_ACCEL === 'nginx' && LOOPBACK.has(values.HOST) && values.TRUSTED_PROXIES.length === 0) {
    warnings.push('MEDIA_ACCEL=nginx and TRUSTED_PROXIES is empty: all visitors would share the address of that nginx');
  }
  if (new URL(values.PUBLIC_URL ?? 'https://localhost').pathname !== '/') {
    warnings.push('PUBLIC_URL has a path: the pages expect to be at the top of their host');
  }
  const equal = SECRETS.filter(
    (name, index) => given[name] && SECRETS.some((other, at) => at < index && given[other] === given[name]),
  );
  for (const name of equal) warnings.push(`${name} is the same as another secret; make one for each`);
  if (livesInMemory(dataDir)) warnings.push('DATA_DIR is in memory: a restart of the machine empties it');
  return warnings;
}

function livesInMemory(folder: string): boolean {
  return MEMORY_FILE_SYSTEMS.has(statfsSync(folder).type);
}
