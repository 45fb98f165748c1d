import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { findAccounts } from '#api/services/administration/account-search.ts';
import { urlOfDatabase } from '#tests/support/database-template.ts';
import { createAccount } from '#tests/support/factories.ts';
import { findPostgresBinaries, type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';

describe.skipIf(!findPostgresBinaries())('the search of users on a PostgreSQL server', () => {
  let server: PrivatePostgres;
  const clients: pg.Client[] = [];
  const opened: DatabaseHandle[] = [];

  beforeAll(async () => {
    server = await startPrivatePostgres();
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

  test('it finds Russian names in any case where the locale of the server is C, and takes every character for itself', async () => {
    const database = await open(await createDatabase(`template template0 lc_collate 'C' lc_ctype 'C'`));
    const { id } = await createAccount(database);
    await database.db.account.update({ where: { id }, data: { username: 'Анна_ЁЖИК', lastName: 'Smith' } });
    await database.db.telegramUser.create({ data: { id: 77n, accountId: id, username: 'Morskoy_kit' } });
    for (const text of ['анна', 'АННА_ё', 'Ё', 'нна_Ёжик', 'sMITH', 'morskoy_K'])
      expect([text, await findAccounts(database, text)]).toEqual([text, [id]]);
    await database.db.account.update({ where: { id }, data: { lastName: '[^-]\\.*' } });
    for (const text of ['[', '^', '-', ']\\', '.*', '[^-]\\.*'])
      expect([text, await findAccounts(database, text)]).toEqual([text, [id]]);
    for (const text of ['нн.', '%', 'Smith', 'ЁЖИК['])
      expect([text, await findAccounts(database, text)]).toEqual([text, []]);
  });
});
