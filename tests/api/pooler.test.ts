import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runDoctorCommand } from '#api/commands/doctor/doctor.ts';
import type { Finding } from '#api/commands/doctor/finding.ts';
import { countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { createAccountEvents, sendAccountEvent } from '#api/database/account-events.ts';
import { openDatabase } from '#api/database/database.ts';
import { createLeadership } from '#api/database/leadership.ts';
import { isBehindPooler } from '#api/database/session.ts';
import { openQueue } from '#api/queue/queue.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { createAccount } from '#tests/support/factories.ts';
import { hasPgbouncer, startPgbouncer } from '#tests/support/start-pgbouncer.ts';
import { until } from '#tests/support/until.ts';

const log = pino({ level: 'silent' });
const connections = countConnections(ROLES);

// The embedded database has neither connections nor a pooler.
describe.runIf(process.env.TEST_DATABASE_URL)('a database behind a pooler', () => {
  let place: TestDatabasePlace;
  let databaseUrl: string;

  beforeAll(async () => {
    place = await createTestDatabase();
    databaseUrl = place.databaseUrl ?? '';
    const database = await openDatabase(place, log);
    // As an operator's server in Moscow has it.
    const { pathname } = new URL(databaseUrl);
    await database.pool.query(`ALTER DATABASE ${pathname.slice(1)} SET TimeZone = 'Europe/Moscow'`);
    await database.close();
  });
  afterAll(() => place.remove());

  const configFor = (url: string) => ({ dataDir: place.dataDir, databaseUrl: url, connections, roles: [...ROLES] });

  async function pool(...lines: string[]): Promise<string> {
    const pooler = await startPgbouncer(databaseUrl, ...lines);
    onTestFinished(() => pooler.stop());
    return pooler.url;
  }

  test('a server of an older version is refused in words, before anything is changed', async () => {
    const { url } = await passThrough(databaseUrl, (answer) => {
      // Both numbers have the same length.
      const text = answer.toString('latin1').replace(/1[5-9]0\d{3}/, '140012');
      return Buffer.from(text, 'latin1');
    });
    await expect(openDatabase(configFor(url), log)).rejects.toThrow('DATABASE_URL: PostgreSQL 15 or newer (is 14)');
  });

  test('no connection of the program names a setting before it has begun', async () => {
    const { url, seen } = await passThrough(databaseUrl);
    const config = configFor(url);
    const database = await openDatabase(config, log);
    const queue = await openQueue(database, config, log);
    const stopListening = await createAccountEvents(database, config, log).listen(() => undefined);
    await createLeadership(config, log).runAsLeader(new AbortController().signal, async () => undefined);
    await database.pool.query('select 1');
    await stopListening();
    await queue.stop();
    await database.close();
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen].sort()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
  });

  describe.runIf(hasPgbouncer)('which is PgBouncer', () => {
    test.each([
      { title: 'as it is installed', lines: [] },
      {
        title: 'that drops settings without a word',
        lines: ['ignore_startup_parameters = options,statement_timeout,lock_timeout'],
      },
    ])('in session mode, $title: times are right and limits hold', async ({ lines }) => {
      const config = configFor(await pool('pool_mode = session', ...lines));
      const database = await openDatabase(config, log);
      onTestFinished(() => database.close());
      const { rows } = await database.pool.query(
        `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      expect(rows).toEqual([{ zone: 'UTC', statement: '30s', lock: '5s', idle: '1min' }]);
      const account = await createAccount(database);
      const { rows: ages } = await database.pool.query<{ seconds: number }>(
        'select abs(extract(epoch from now() - created_at))::float8 as seconds from accounts where id = $1',
        [account.id],
      );
      expect(ages[0]?.seconds).toBeLessThan(3600);
    });

    test('in session mode the queue, the events and the lead work', async () => {
      const config = configFor(await pool('pool_mode = session'));
      const database = await openDatabase(config, log);
      onTestFinished(() => database.close());
      const queue = await openQueue(database, config, log);
      onTestFinished(() => queue.stop());
      const heard: unknown[] = [];
      const stopListening = await createAccountEvents(database, config, log).listen((accountEvent) =>
        heard.push(accountEvent),
      );
      onTestFinished(stopListening);
      await sendAccountEvent(database.db, { accountId: 7, event: 'balance' });
      await until(() => expect(heard).toEqual([{ accountId: 7, event: 'balance' }]));
      let hasLed = false;
      await createLeadership(config, log).runAsLeader(new AbortController().signal, async () => {
        hasLed = true;
      });
      expect(hasLed).toBe(true);
    });

    test.each(['transaction', 'statement'])('in %s mode the start is refused in words', async (mode) => {
      const url = await pool(`pool_mode = ${mode}`);
      await expect(openDatabase(configFor(url), log)).rejects.toMatchObject({
        name: 'UnfitDatabaseError',
        message: expect.stringMatching(/^DATABASE_URL: a pooler in transaction mode .* pool_mode = session/),
      });
    });

    test('is found by the doctor, who does not take its connections for processes', async () => {
      const url = await pool('pool_mode = session');
      expect(await isBehindPooler(url)).toBe(true);
      expect(await isBehindPooler(databaseUrl)).toBe(false);
      const env = { NODE_ENV: 'test', DATA_DIR: place.dataDir, DATABASE_URL: url };
      const findings: Finding[] = JSON.parse(
        await runDoctorCommand(['--json'], env).catch((error: Error) => error.message),
      );
      const texts = findings.filter(({ part }) => part === 'database').map(({ text }) => text);
      expect(texts).toContainEqual(expect.stringMatching(/^behind a pooler: it and others hold \d+ of the \d+/));
      expect(texts.join('\n')).not.toContain('processes of Podium');
    });
  });
});

/**
 * Passes everything on to the database, and notes the names that clients send before they are let in. `change` replaces
 * what the server answers.
 */
async function passThrough(
  databaseUrl: string,
  change: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<{ url: string; seen: Set<string> }> {
  const target = new URL(databaseUrl);
  const seen = new Set<string>();
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.once('data', (message) => {
      // Length and version, then names and values that end with a zero byte each.
      const words = message.subarray(8).toString('utf8').split('\0');
      for (let index = 0; words[index]; index += 2) seen.add(words[index] ?? '');
    });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    server.on('data', (answer) => void client.write(change(answer)));
    client.pipe(server);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const url = new URL(target);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url: url.href, seen };
}
