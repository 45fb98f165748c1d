import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './find-free-port.ts';

const START_TIMEOUT_MS = 30_000;
/** PostgreSQL refuses to run as root. Its package creates the first account; the second exists everywhere. */
const SERVANT_ACCOUNTS = ['postgres', 'nobody'];

export interface PrivatePostgres {
  url: string;
  /** Of the process whose children serve the connections. A restart changes it. */
  readonly pid: number;
  /** Stops every process of the server where it stands (SIGSTOP): connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Shuts down and starts again after a pause. Connections end; until then new ones are refused. */
  restart(pauseMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of `initdb` and `postgres` of the newest version; null when PostgreSQL is not installed. */
export function findPostgresBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(path.join(folder, name)))) ?? null
  );
}

/**
 * Starts a new server in a temporary folder, on a free port of the loopback. `stop` removes it. `changes` replace
 * settings. Throws when PostgreSQL is not installed.
 */
export async function startPrivatePostgres(changes: Record<string, string | number> = {}): Promise<PrivatePostgres> {
  const binaries = findPostgresBinaries();
  if (!binaries) throw new Error('PostgreSQL is needed: install it, so that initdb can be found.');
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-postgres-'));
  const identity = process.getuid?.() === 0 ? findServant() : {};
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = path.join(folder, 'data');
  const port = await findFreePort();
  const options = { ...identity, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'Europe/Moscow' } };
  execFileSync(path.join(binaries, 'initdb'), ['-D', data, '-U', 'podium', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    // The data need not survive a crash.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    ...changes,
  };
  const launch = () =>
    spawn(
      path.join(binaries, 'postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...options, stdio: 'ignore' },
    );
  let server = launch();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // For a runner that ends without calling `stop`.
  const killAtExit = () => server.kill('SIGKILL');
  process.once('exit', killAtExit);

  const url = `postgresql://podium@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, () => server.exitCode);
  const shutDown = async () => {
    const ended = once(server, 'exit');
    // Fast shutdown: does not wait for open connections.
    server.kill('SIGINT');
    await ended;
  };
  return {
    url,
    get pid() {
      return server.pid ?? 0;
    },
    // The postmaster first, so that no new process is missed.
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async restart(pauseMs) {
      await shutDown();
      await wait(pauseMs);
      server = launch();
      await waitUntilReady(url, () => server.exitCode);
    },
    async stop() {
      await shutDown();
      process.off('exit', killAtExit);
      remove();
    },
  };
}

/** Each process of PostgreSQL is its own process group, so the children are looked up. */
function signalAll(server: ChildProcess, signal: NodeJS.Signals): void {
  server.kill(signal);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  for (const pid of children.split('\n').filter(Boolean)) process.kill(Number(pid), signal);
}

async function waitUntilReady(url: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (exitCode() !== null) throw new Error(`PostgreSQL ended with ${exitCode()}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not listening yet.
      await wait(50);
    }
  }
  throw new Error('PostgreSQL did not start in time');
}

/** The account that a server runs as which refuses to run as root. */
export function findServant(): { uid?: number; gid?: number } {
  for (const name of SERVANT_ACCOUNTS) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such account.
    }
  }
  throw new Error(`The server does not run as root, and there is no account ${SERVANT_ACCOUNTS.join(' or ')}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
