import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countConnections } from '#api/config-connections.ts';
import { type DatabaseHandle, openDatabase } from '#api/db.ts';
import { findAccounts } from '#api/services/administration/account-search.ts';
import { ROLES } from '#api/settings.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { urlOfDatabase } from '#tests/support/database-template.ts';
import { createAccount } from '#tests/support/factories.ts';
import { findPostgresBinaries, type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { until } from '#tests/support/until.ts';

const binaries = findPostgresBinaries();

describe.skipIf(binaries === null)('the search of users on a PostgreSQL server', () => {
  let server: PrivatePostgres;
  const clients: pg.Client[] = [];
  const opened: DatabaseHandle[] = [];

  beforeAll(async () => {
    server = await startPrivatePostgres(binaries ?? '');
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await Promise.all(opened.map((database) => database.close()));
    await server.stop();
  });

  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  }

  /** `options`: of CREATE DATABASE. */
  async function createDatabase(options = ''): Promise<string> {
    const name = `names_${randomUUID().replaceAll('-', '')}`;
    const client = await connect(server.url);
    await client.query(`create database ${name} ${options}`);
    return urlOfDatabase(server.url, name);
  }

  /** Applies the migrations too. */
  async function open(databaseUrl: string): Promise<DatabaseHandle> {
    const config = { dataDir: '', databaseUrl, connections: countConnections(ROLES) };
    const database = await openDatabase(config, pino({ level: 'silent' }));
    opened.push(database);
    return database;
  }

  test('an account and its Telegram user that are renamed at the same moment are found by both new names', async () => {
    const url = await createDatabase();
    const database = await open(url);
    const { db } = database;
    const { id } = await createAccount(database);
    await db.telegramUser.create({ data: { id: 77n, accountId: id, username: 'ryba_molot' } });
    const first = await connect(url);
    await first.query('begin');
    await first.query(`update telegram_users set username = 'morskoy_kit' where id = 77`);
    const second = db.account.update({ where: { id }, data: { username: 'Щука' } }).then(() => {});
    await until(async () => expect(await countLockWaits(database)).toBe(1));
    await first.query('commit');
    await second;
    expect(await findAccounts({ db }, 'щука')).toEqual([id]);
    expect(await findAccounts({ db }, 'morskoy')).toEqual([id]);
    expect(await findAccounts({ db }, 'ryba')).toEqual([]);
  });

  test('it finds Russian names in any case where the locale of the server is C', async () => {
    const database = await open(await createDatabase(`template template0 lc_collate 'C' lc_ctype 'C'`));
    const { id } = await createAccount(database);
    await database.db.account.update({ where: { id }, data: { username: 'Анна_ЁЖИК', lastName: 'Smith' } });
    for (const text of ['анна', 'АННА_ё', 'Ё', 'нна_Ёжик', 'sMITH'])
      expect([text, await findAccounts(database, text)]).toEqual([text, [id]]);
  });

  test('a form that is saved with the names of before waits for no searched names', async () => {
    const url = await createDatabase();
    const database = await open(url);
    const { db } = database;
    const { id } = await createAccount(database);
    await db.account.update({ where: { id }, data: { username: 'Щука', firstName: null } });
    const other = await connect(url);
    await other.query('begin; select from account_names for update');
    await db.account.update({ where: { id }, data: { username: 'Щука', firstName: null } });
    await other.query('rollback');
    await db.account.update({ where: { id }, data: { firstName: 'Ждан' } });
    expect(await findAccounts({ db }, 'ждан')).toEqual([id]);
  });

  test('two changes at once of an account whose names are missing end without a deadlock', async () => {
    const url = await createDatabase();
    const database = await open(url);
    const { db } = database;
    const { id } = await createAccount(database);
    await db.telegramUser.create({ data: { id: 77n, accountId: id, username: 'ryba_molot' } });
    await db.accountNames.deleteMany();
    const first = await connect(url);
    await first.query(`begin; select from accounts where id = ${id} for update`);
    const second = db.telegramUser.update({ where: { id: 77n }, data: { username: 'morskoy_kit' } }).then(() => {});
    await until(async () => expect(await countLockWaits(database)).toBe(1));
    await first.query(`update accounts set email_key = 'shchuka@example.com' where id = ${id}; commit`);
    await second;
    expect(await findAccounts({ db }, 'shchuka')).toEqual([id]);
    expect(await findAccounts({ db }, 'morskoy')).toEqual([id]);
  });
});
