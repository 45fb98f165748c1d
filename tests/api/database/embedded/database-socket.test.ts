import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lockFolder } from '#api/database/embedded/folder-lock.ts';
import {
  type EmbeddedPostgres,
  findEndedProgram,
  isProgramRunning,
  openEmbeddedPostgres,
  reachEmbeddedPostgres,
} from '#api/database/embedded/open-embedded-postgres.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { until } from '#tests/support/until.ts';

type Program = Awaited<ReturnType<typeof openEmbeddedPostgres>>;

let folder: string;
/** The data folder that has the file's one database. Copying and opening one take most of the time of a test. */
let home: string;
let program: Program;
let isRunning = false;
let commands: EmbeddedPostgres[];

/** Runs the program in this folder, which gets the database. One that runs there already goes on. */
async function run(dataDir: string): Promise<void> {
  if (home !== dataDir) await move(dataDir);
  if (!isRunning) {
    program = await openEmbeddedPostgres(dataDir, vi.fn());
    isRunning = true;
    program.pool.on('error', () => undefined);
    await program.offer?.(vi.fn());
  }
  await program.pool.query('drop table if exists notes; create table notes (text text)');
}

async function move(dataDir: string): Promise<void> {
  if (isRunning) await stop();
  await rename(path.join(home, 'db'), path.join(dataDir, 'db'));
  home = dataDir;
}

async function reach(dataDir = folder): Promise<EmbeddedPostgres> {
  const command = await reachEmbeddedPostgres(dataDir, vi.fn());
  if (command.isOpenedHere) command.pool.on('error', () => undefined);
  commands.push(command);
  return command;
}

async function stop(): Promise<void> {
  isRunning = false;
  await program.close();
}

const readNotes = async () =>
  (await program.pool.query('select text from notes order by text')).rows.map((row) => row.text);
/** Breaks a connection, as the end of its process does. */
const destroy = (client: pg.Client) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
const socketOf = (dataDir: string) => path.join(dataDir, '.s.PGSQL.5432');

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-socket-'));
  home = folder;
  await copyEmbeddedTemplate(folder);
});
beforeEach(() => {
  commands = [];
});
afterEach(async () => {
  for (const command of commands) await command.close();
});
afterAll(async () => {
  if (isRunning) await stop();
  await rm(folder, { recursive: true, force: true });
});

test('a command uses the database of the program that runs, with parameters and errors', async () => {
  await run(folder);
  const { pool, isOpenedHere } = await reach();
  expect(isOpenedHere).toBe(false);
  await pool.query('insert into notes values ($1)', ['written by a command']);
  await expect(pool.query('select nothing')).rejects.toMatchObject({ code: '42703' });
  expect((await pool.query('select text from notes')).rows).toEqual([{ text: 'written by a command' }]);
  expect(await readNotes()).toEqual(['written by a command']);
});

test('statements of the program wait for the end of a transaction of a command, and the other way round', async () => {
  await run(folder);
  const { pool } = await reach();
  const order: string[] = [];
  const guest = await pool.connect();
  await guest.query('begin');
  await guest.query(`insert into notes values ('of the command')`);
  const counted = program.pool.query('select count(*)::int as count from notes').then(({ rows }) => {
    order.push('program');
    return rows[0].count;
  });
  await guest.query('select 1');
  order.push('command');
  await guest.query('rollback');
  guest.release();
  expect(await counted).toBe(0);

  const host = await program.pool.connect();
  await host.query('begin');
  await host.query(`insert into notes values ('of the program')`);
  const seen = pool.query('select text from notes').then(({ rows }) => {
    order.push('command again');
    return rows;
  });
  await host.query('select 1');
  order.push('program again');
  await host.query('commit');
  host.release();
  expect(await seen).toEqual([{ text: 'of the program' }]);
  expect(order).toEqual(['command', 'program', 'program again', 'command again']);
});

test('commands that write at once, and the program, all get their turn', async () => {
  await run(folder);
  const [first, second] = [await reach(), await reach()];
  const write = async ({ pool }: Pick<EmbeddedPostgres, 'pool'>, name: string) => {
    for (let index = 0; index < 20; index++) {
      const client = await pool.connect();
      await client.query('begin');
      await client.query('insert into notes values ($1)', [`${name} ${index}`]);
      await client.query(index % 2 === 0 ? 'commit' : 'rollback');
      client.release();
    }
  };
  await Promise.all([write(first, 'first'), write(second, 'second'), write(program, 'program')]);
  const notes = await readNotes();
  expect(notes).toHaveLength(30);
  expect(notes.filter((note) => Number(note.split(' ')[1]) % 2 === 1)).toEqual([]);
});

test('the program hears what a command notifies', async () => {
  await run(folder);
  const heard = Promise.withResolvers<string>();
  const stopListening = await program.pool.listen({ channel: 'news', onMessage: heard.resolve, onReconnect() {} });
  const { pool } = await reach();
  await pool.query(`select pg_notify('news', 'from a command')`);
  expect(await heard.promise).toBe('from a command');
  await stopListening();
});

test('50 statements of a command tell no listener of a gap, and each message of theirs is heard', async () => {
  await run(folder);
  const heard: string[] = [];
  const onReconnect = vi.fn();
  const onMessage = (payload: string) => void heard.push(payload);
  const stopListening = await program.pool.listen({ channel: 'news', onMessage, onReconnect });
  const { pool } = await reach();
  const sent = Array.from({ length: 50 }, (_, index) => String(index));
  for (const payload of sent) {
    await pool.query(`select pg_notify('news', $1)`, [payload]);
    await program.pool.query('select 1');
  }
  expect(heard).toEqual(sent);
  expect(onReconnect).not.toHaveBeenCalled();
  await stopListening();
});

test('what a client sets and prepares ends with its transaction, and the program goes on with its own', async () => {
  await run(folder);
  const ask = (name: string, text: string) => program.pool.query({ name, text });
  await ask('of the program', 'select 1 as one');
  const { pool } = await reach();
  await pool.query(`set search_path to nowhere; set statement_timeout to 1; set time zone 'Asia/Tokyo'`);
  await pool.query('create temp table notes (text text)');
  await pool.query({ name: 'shared name', text: 'select 2 as two' });
  await pool.query('prepare "of the ""client" as select 3');

  expect(await readNotes()).toEqual([]);
  await expect(program.pool.query('select * from pg_temp.notes')).rejects.toThrow('does not exist');
  expect((await program.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
  expect((await program.pool.query('show time zone')).rows).toEqual([{ TimeZone: 'UTC' }]);
  expect((await ask('shared name', 'select 4 as four')).rows).toEqual([{ four: 4 }]);
  expect((await ask('of the program', 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  const { rows } = await program.pool.query('select name from pg_prepared_statements order by name');
  expect(rows.map(({ name }) => name)).toEqual(['of the program', 'shared name']);

  await pool.query('deallocate all');
  expect((await ask('of the program', 'select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('the settings of a client that is killed in its transaction end as well', async () => {
  await run(folder);
  const client = new pg.Client({ host: folder, port: 5432, user: 'postgres', ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('set statement_timeout to 1234');
  await client.query('begin');
  await client.query('prepare mine as select 1');
  destroy(client);
  expect((await program.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
  expect((await program.pool.query('select name from pg_prepared_statements')).rows).toEqual([]);
});

test('the open transaction of a command that is killed is rolled back, and the program goes on', async () => {
  await run(folder);
  const client = new pg.Client({ host: folder, port: 5432, user: 'postgres', ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(`insert into notes values ('half')`);
  destroy(client);
  expect(await readNotes()).toEqual([]);
});

test('only the owner of the folder may use it', async () => {
  await run(folder);
  expect(statSync(socketOf(folder)).mode & 0o077).toBe(0);
});

test('a caller that says nothing, or half of a message, keeps nobody waiting', async () => {
  await run(folder);
  const silent = connect(socketOf(folder)).resume();
  await once(silent, 'connect');
  const half = connect(socketOf(folder)).resume();
  await once(half, 'connect');
  half.write(Buffer.from([0, 0, 0]));
  expect(await readNotes()).toEqual([]);
  // The half of a message is never read, so its caller may see the connection reset.
  const closed = [silent, half].map((caller) => {
    caller.on('error', () => undefined);
    return new Promise((resolve) => caller.once('close', resolve));
  });
  await stop();
  await Promise.all(closed);
});

test('a folder too deep for the address of a socket works as well', async () => {
  const deep = path.join(folder, 'deep'.repeat(30), 'deeper'.repeat(10));
  mkdirSync(deep, { recursive: true });
  await run(deep);
  const { pool } = await reach(deep);
  await pool.query(`insert into notes values ('deep')`);
  expect(await readNotes()).toEqual(['deep']);
});

test('a program that ends takes no command with it whose connection is at rest, and is named as the reason', async () => {
  await run(home);
  const command = await reach(home);
  expect(command.isOpenedHere).toBe(false);
  await command.pool.query('select 1');
  expect(await findEndedProgram(command, home)).toBeNull();
  const left = once(command.pool, 'remove');
  await stop();
  await left;
  expect(await findEndedProgram(command, home)).toMatchObject({ name: 'ProgramEndedError' });
});

test('where no program runs the database is opened here, also beside the socket of one that was killed', async () => {
  await move(folder);
  writeFileSync(socketOf(folder), '');
  expect(await isProgramRunning(folder)).toBe(false);
  const { isOpenedHere, offer, close } = await reachEmbeddedPostgres(folder, vi.fn());
  expect(isOpenedHere).toBe(true);
  await offer?.(vi.fn());
  expect(await isProgramRunning(folder)).toBe(true);
  await close();
  expect(existsSync(socketOf(folder))).toBe(false);
});

test('a command waits for a program that is starting', async () => {
  await move(folder);
  const starting = lockFolder(folder);
  // Each try to lock the folder is a statement.
  const tries = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => tries.mockRestore());
  const reached = reachEmbeddedPostgres(folder, vi.fn());
  await until(() => expect(tries).toHaveBeenCalled());
  starting.release();
  const { isOpenedHere, close } = await reached;
  await close();
  expect(isOpenedHere).toBe(true);
});
