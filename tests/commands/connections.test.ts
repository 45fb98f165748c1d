import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { countConnections } from '#api/config/connections.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';
import { type Role, type RunningServer, startServer } from '#tests/support/running-server.ts';
import { TelegramUser } from '#tests/support/telegram-user.ts';

/** Only a server has connections to count. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
/** PostgreSQL's default without those that it keeps for superusers. */
const USABLE_BY_DEFAULT = 97;
/** For migrations, an operator's command and psql. */
const FOR_THE_OPERATOR = 7;
/** More than any pool has connections. */
const CROWD = 30;
const TIMEOUT = { timeout: 60_000, interval: 100 };

async function connect(place: TestDatabasePlace): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: place.databaseUrl, application_name: 'observer' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Lets statements that need these tables wait until the connection ends. */
async function lock(place: TestDatabasePlace, tables: string): Promise<void> {
  const client = await connect(place);
  await client.query(`begin; do $$ begin execute (
    select 'lock table ' || string_agg(format('%I.%I', schemaname, tablename), ', ') from pg_tables where ${tables}); end $$`);
}

/** Starts a process on a database of its own. */
async function start(role: Role, env: Record<string, string> = {}) {
  const place = await createTestDatabase();
  onTestFinished(() => place.remove());
  const { dataDir, databaseUrl } = place;
  const running = await startServer({ dataDir, databaseUrl, roles: [role], env });
  onTestFinished(() => running.kill());
  return { place, running, stated: readStated(running) };
}

function readStated(running: RunningServer): number {
  return Number(/at most (\d+) connections/.exec(running.output())?.[1]);
}

/** Looks that often after the number was reached, to see whether it is exceeded. */
const MORE_LOOKS = 30;

/** Keeps the process busy until it has taken as many connections as it says, and longer. Returns the highest number. */
async function countUntilReached(place: TestDatabasePlace, stated: number, keepBusy: () => unknown): Promise<number> {
  const observer = await connect(place);
  let most = 0;
  let moreLooks = MORE_LOOKS;
  await vi.waitFor(async () => {
    await keepBusy();
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database()
         and backend_type = 'client backend' and application_name <> 'observer'`,
    );
    most = Math.max(most, rows[0]?.count ?? 0);
    expect(most).toBeGreaterThanOrEqual(stated);
    moreLooks -= 1;
    expect(moreLooks).toBe(0);
  }, TIMEOUT);
  return most;
}

test.runIf(isOnServer)('an api process takes exactly as many connections as its start says', async () => {
  const { place, running, stated } = await start('api');
  await lock(place, `tablename = 'star_packages'`);
  let waiting = 0;
  // Some are still open when the process is killed.
  const ask = (path: string) => fetch(running.url + path).catch(() => undefined);
  const most = await countUntilReached(place, stated, () => {
    for (; waiting < CROWD; waiting++) void ask('/api/payments/star-packages').finally(() => waiting--);
    void ask('/readyz');
  });
  expect(most).toBe(stated);
});

test.runIf(isOnServer)(
  'a worker takes exactly as many connections as its start says, with a pool of one’s own too',
  async () => {
    const { place, stated } = await start('worker', { DATABASE_POOL: '7' });
    await lock(place, `schemaname = 'public'`);
    const sender = await connect(place);
    // Waited for, because one that is open when the connection ends is rejected.
    const most = await countUntilReached(place, stated, () =>
      sender.query(`insert into pgboss.job (name, data) select name, '{"accountId": 1, "formerEmail": "a"}'
      from pgboss.queue where name in ('watchdog', 'clean-up', 'settle-payments', 'send-deletion-mail', 'send-report-mail',
        'send-email-changed-mail', 'sweep-files', 'reconcile-star-sales')`),
    );
    expect(most).toBe(stated);
  },
);

test.runIf(isOnServer)('the active bot takes exactly as many connections as its start says', async () => {
  const telegram = await createFakeTelegram();
  onTestFinished(() => telegram.close());
  const { place, stated } = await start('bot', {
    TELEGRAM_BOT_TOKEN: FAKE_TOKEN,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_WEBHOOK_SECRET: 'a-secret-that-only-telegram-knows',
  });
  const users = Array.from({ length: CROWD }, () => new TelegramUser(telegram));
  for (const user of users) user.say('/start');
  await vi.waitFor(() => expect(telegram.countWaiting()).toBe(0), TIMEOUT);
  // The bot reads this table first, and its queue that one.
  await lock(place, `tablename = 'telegram_users'`);
  for (const user of users) user.say('/help');
  await lock(place, `(schemaname, tablename) = ('pgboss', 'job')`);
  const most = await countUntilReached(place, stated, () => undefined);
  expect(most).toBe(stated);
});

test('four api processes, four workers, a bot and its standby leave some of PostgreSQL’s default connections', () => {
  const all =
    4 * countConnections(['api']).total + 4 * countConnections(['worker']).total + 2 * countConnections(['bot']).total;
  expect(all).toBeLessThanOrEqual(USABLE_BY_DEFAULT - FOR_THE_OPERATOR);
});
