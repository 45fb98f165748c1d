import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './find-free-port.ts';
import { findServant } from './private-postgres.ts';
import { until } from './until.ts';

/** Whether PgBouncer can be run here. */
export const hasPgbouncer = (() => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface RunningPgbouncer {
  /** The database's address through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** A real PgBouncer before a database, with nothing set but what it needs and `lines` of its section `pgbouncer`. */
export async function startPgbouncer(databaseUrl: string, ...lines: string[]): Promise<RunningPgbouncer> {
  const target = new URL(databaseUrl);
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-pgbouncer-'));
  const port = await findFreePort();
  const users = path.join(folder, 'users.txt');
  const settings = path.join(folder, 'pgbouncer.ini');
  const password = decodeURIComponent(target.password);
  writeFileSync(users, `"${target.username}" "${password}"\n`);
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      ...lines,
    ].join('\n'),
  );
  for (const file of [folder, users, settings]) chmodSync(file, 0o755);
  const identity = process.getuid?.() === 0 ? findServant() : {};
  const server: ChildProcess = spawn('pgbouncer', ['-q', settings], { ...identity, stdio: 'ignore' });
  await until(() => tryConnection(port));
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function tryConnection(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
