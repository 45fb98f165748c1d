import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { askRunningProcess, isProcessListening, listenForOperator } from '#api/commands/operator-socket.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createProcessState } from '#api/services/ground/process-state.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await borrowTestDatabase();
});
afterAll(() => database.close());

/** Listens in a data folder of this name, with the parts of a context that the administrator's command needs. */
async function listenIn(name: string, onLogLine: (line: string) => void = () => {}): Promise<string> {
  const dataDir = path.join(database.dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  const config = { dataDir, adminUserIds: [3], sessionSecret: 'secret' };
  const app = { db: database.db, log: pino({}, { write: onLogLine }), config, state: createProcessState() };
  await listenForOperator(app as unknown as AppContext);
  return dataDir;
}

test('a command reaches the process that listens and brings back what it says', async () => {
  const dataDir = await listenIn('short');
  expect(await askRunningProcess(dataDir, 'admin', ['boss@example.com'])).toMatch(/^Пароль: \S+$/m);
  expect(await database.db.account.findUnique({ where: { id: 3 } })).toMatchObject({ email: 'boss@example.com' });
});

test('a folder too deep for the address of a socket works as well', async () => {
  const dataDir = await listenIn(path.join('deep'.repeat(30), 'deeper'.repeat(10)));
  expect(await askRunningProcess(dataDir, 'admin', ['deep@example.com'])).toMatch(/^Пароль: \S+$/m);
});

test('a wrong command is refused with its own complaint', async () => {
  const dataDir = await listenIn('wrong');
  await expect(askRunningProcess(dataDir, 'admin', ['not an e-mail'])).rejects.toThrow('npm run admin -- <email>');
  await expect(askRunningProcess(dataDir, 'toString', [])).rejects.toThrow('There is no command toString');
});

test('only the owner of the folder may speak to it', async () => {
  const dataDir = await listenIn('private');
  expect(statSync(path.join(dataDir, 'operator.sock')).mode & 0o077).toBe(0);
});

test('a caller that goes away before the answer takes nothing down', async () => {
  const dataDir = await listenIn('gone');
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  process.on('uncaughtException', onFailure);
  try {
    const socket = connect({ path: path.join(dataDir, 'operator.sock'), allowHalfOpen: true });
    await once(socket, 'connect');
    socket.end(JSON.stringify({ name: 'admin', args: ['gone@example.com'], cwd: dataDir }));
    await once(socket, 'finish');
    socket.destroy();
    await vi.waitFor(
      async () =>
        expect(await database.db.account.findUnique({ where: { id: 3 } })).toMatchObject({ email: 'gone@example.com' }),
      15_000,
    );
    expect(await askRunningProcess(dataDir, 'admin', ['next@example.com'])).toContain('next@example.com');
  } finally {
    process.off('uncaughtException', onFailure);
  }
  expect(failures).toEqual([]);
});

test('a look whether a process runs asks it for nothing and leaves nothing in its log', async () => {
  const lines: string[] = [];
  const dataDir = await listenIn('looked', (line) => lines.push(line));
  expect(await isProcessListening(dataDir)).toBe(true);
  // Its answer comes after what the first caller has caused.
  expect(await askRunningProcess(dataDir, 'admin', ['looked@example.com'])).toContain('looked@example.com');
  expect(lines).toEqual([]);
});

test('where nobody listens there is no answer', async () => {
  expect(await askRunningProcess(path.join(database.dataDir, 'nobody'), 'admin', [])).toBeNull();
});

test('the socket of a process that is gone is replaced', async () => {
  const dataDir = await listenIn('again');
  await listenIn('again');
  expect(await askRunningProcess(dataDir, 'admin', ['again@example.com'])).toContain('again@example.com');
});
