import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultFixture, openFaultFixture, playFault, UNHARMED } from './fault-fixture.ts';

/** Few, so that they are soon exhausted. */
const CONNECTIONS = 50;
/** Statements that change something. */
const WRITES = /COMMIT|INSERT INTO/i;

let fixture: FaultFixture;
beforeAll(async () => {
  fixture = await openFaultFixture({ settings: { max_connections: CONNECTIONS } });
});
afterAll(() => fixture?.close());

async function connectDirectly(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: fixture.postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('a database that stands still for ten seconds costs nothing', async () => {
  const report = await playFault(fixture, 'database stopped for 10 s', async () => {
    fixture.postgres.freeze();
    await wait(10_000);
    fixture.postgres.thaw();
  });
  expect(report).toMatchObject(UNHARMED);
});

test('a database that is started again costs nothing', async () => {
  const report = await playFault(fixture, 'database restarted, away for 3 s', () => fixture.postgres.restart(3000));
  expect(report).toMatchObject(UNHARMED);
});

test('a slow network to the database costs nothing', async () => {
  const report = await playFault(fixture, 'database slow, 300 ms a round trip for 8 s', async () => {
    fixture.proxy.delay(150);
    await wait(8000);
    fixture.proxy.delay(0);
  });
  expect(report).toMatchObject(UNHARMED);
});

test('answers of the database that are lost after the work was done cost nothing', async () => {
  const lostBefore = fixture.proxy.lost();
  const report = await playFault(fixture, 'connection cut after a write, every third for 8 s', async () => {
    let writes = 0;
    fixture.proxy.loseAnswersTo(WRITES, () => ++writes % 3 === 0);
    await wait(8000);
    fixture.proxy.loseAnswersTo(null);
  });
  expect(report).toMatchObject(UNHARMED);
  expect(fixture.proxy.lost()).toBeGreaterThan(lostBefore);
});

test('an account that is locked for eight seconds costs nothing', async () => {
  const holder = await connectDirectly();
  const report = await playFault(fixture, 'one account locked for 8 s', async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE email = $1 FOR UPDATE', [fixture.users[0]?.email]);
    await wait(8000);
    await holder.query('ROLLBACK');
  });
  await holder.end();
  expect(report).toMatchObject(UNHARMED);
});

test('a table that is locked for eight seconds costs nothing', async () => {
  const holder = await connectDirectly();
  const report = await playFault(fixture, 'table of generations locked for 8 s', async () => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE generations IN ACCESS EXCLUSIVE MODE');
    await wait(8000);
    await holder.query('ROLLBACK');
  });
  await holder.end();
  expect(report).toMatchObject(UNHARMED);
  expect(report.seen).toHaveProperty('503 unavailable');
});

test('statements that run into their timeout cost nothing', async () => {
  const operator = await connectDirectly();
  const setPace = (seconds: number) =>
    operator.query(`CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$`);
  const isRefused = ({ answers }: FaultFixture['users'][number]) => answers.has('503 unavailable');
  const report = await playFault(fixture, 'photos written in 60 s, until a statement timeout', async () => {
    await setPace(60);
    await operator.query('CREATE TRIGGER dawdle BEFORE INSERT ON photos FOR EACH ROW EXECUTE FUNCTION dawdle()');
    await vi.waitFor(() => expect(fixture.users.some(isRefused)).toBe(true), { timeout: 120_000, interval: 100 });
    await setPace(0);
    await operator.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    await operator.query('DROP TRIGGER dawdle ON photos');
  });
  await operator.end();
  expect(report).toMatchObject(UNHARMED);
});

test('exhausted connections cost nothing', async () => {
  const report = await playFault(fixture, 'connections exhausted for 5 s', async () => {
    const holders = [await connectDirectly()];
    // The program's connections end, and others take their places.
    await holders[0]?.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^podium'",
    );
    for (let client: pg.Client | null = holders[0] ?? null; client; ) {
      client = await connectDirectly().catch(() => null);
      if (client) holders.push(client);
    }
    await wait(5000);
    await Promise.all(holders.map((client) => client.end()));
  });
  expect(report).toMatchObject(UNHARMED);
});
