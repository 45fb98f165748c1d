import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countConnections } from '#api/config-connections.ts';
import { type DatabaseHandle, openDatabase } from '#api/db.ts';
import { findAccounts } from '#api/services/administration/account-search.ts';
import { noteMissingNames } from '#api/services/administration/missing-names.ts';
import { ROLES } from '#api/settings.ts';
import { deployMigrations } from '#prisma/migrate.ts';
import { readMigrations } from '#prisma/schema-engine.ts';
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

  /** As the release before the table of names leaves a database. */
  async function createFormerDatabase(): Promise<string> {
    const url = await createDatabase();
    const list = await readMigrations();
    const former = list.migrationDirectories.filter((migration) => migration.path < '20261126101000');
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    // The end of a pool does not wait for its connections to close. The end of the server may be what ends them.
    pool.on('error', () => undefined);
    await deployMigrations(pool, { ...list, migrationDirectories: former });
    await pool.end();
    return url;
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

  test('an upgrade notes the names of 10,000 accounts, and the clean-up the others in parts that end one by one', async () => {
    const url = await createFormerDatabase();
    const other = await connect(url);
    await other.query(`insert into accounts (id, email, email_key, password_hash, username)
      select n, n || '@example.com', n || '@example.com', 'x', 'Карась' || n from generate_series(1000, 12999) n`);
    const database = await open(url);
    const { db } = database;
    expect(await db.accountNames.count()).toBe(10_000);
    expect(await findAccounts({ db }, 'карась12500')).toEqual([]);
    // A new name that is not committed holds up the last part, and no account of an earlier one.
    await other.query(`begin; update accounts set username = 'Белуга' where id = 12600`);
    const noting = noteMissingNames({ db });
    await until(async () => expect(await countLockWaits(database)).toBe(1));
    await db.account.update({ where: { id: 11_500 }, data: { username: 'Севрюга' } });
    await other.query('commit');
    expect(await noting).toBe(12_000);
    for (const [text, id] of [
      ['карась12500', 12_500],
      ['белуга', 12_600],
      ['севрюга', 11_500],
    ] as const) {
      expect([text, await findAccounts({ db }, text)]).toEqual([text, [id]]);
    }
    expect(await findAccounts({ db }, 'карась12600')).toEqual([]);
    expect([await db.missingNames.count(), await noteMissingNames({ db })]).toEqual([0, 0]);
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
