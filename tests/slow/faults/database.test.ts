import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultScene, openFaultScene, playFault, UNHARMED } from './fault-scene.ts';

/** Few, so that they are soon exhausted. */
const CONNECTIONS = 50;
/** Statements that change something. */
const WRITES = /COMMIT|INSERT INTO|WITH held/;

let scene: FaultScene;
beforeAll(async () => {
  scene = await openFaultScene({ settings: { max_connections: CONNECTIONS } });
});
afterAll(() => scene?.close());

async function connectDirectly(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: scene.postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('a database that stands still for ten seconds costs nothing', async () => {
  const report = await playFault(scene, 'database stopped for 10 s', async () => {
    scene.postgres.freeze();
    await wait(10_000);
    scene.postgres.thaw();
  });
  expect(report).toMatchObject(UNHARMED);
});

test('a database that is started again costs nothing', async () => {
  const report = await playFault(scene, 'database restarted, away for 3 s', () => scene.postgres.restart(3000));
  expect(report).toMatchObject(UNHARMED);
});

test('a slow network to the database costs nothing', async () => {
  const report = await playFault(scene, 'database slow, 300 ms a round trip for 8 s', async () => {
    scene.proxy.delay(150);
    await wait(8000);
    scene.proxy.delay(0);
  });
  expect(report).toMatchObject(UNHARMED);
});

test('answers of the database that are lost after the work was done cost nothing', async () => {
  const lostBefore = scene.proxy.lost();
  const report = await playFault(scene, 'connection cut after a write, every third for 8 s', async () => {
    let writes = 0;
    scene.proxy.loseAnswersTo(WRITES, () => ++writes % 3 === 0);
    await wait(8000);
    scene.proxy.loseAnswersTo(null);
  });
  expect(report).toMatchObject(UNHARMED);
  expect(scene.proxy.lost()).toBeGreaterThan(lostBefore);
});

test('an account that is locked for eight seconds costs nothing', async () => {
  const holder = await connectDirectly();
  const report = await playFault(scene, 'one account locked for 8 s', async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE email = $1 FOR UPDATE', [scene.people[0]?.email]);
    await wait(8000);
    await holder.query('ROLLBACK');
  });
  await holder.end();
  expect(report).toMatchObject(UNHARMED);
});

test('a table that is locked for eight seconds costs nothing', async () => {
  const holder = await connectDirectly();
  const report = await playFault(scene, 'table of generations locked for 8 s', async () => {
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
  const isRefused = ({ answers }: FaultScene['people'][number]) => answers.has('503 unavailable');
  const report = await playFault(scene, 'photos written in 60 s, until a statement timeout', async () => {
    await setPace(60);
    await operator.query('CREATE TRIGGER dawdle BEFORE INSERT ON photos FOR EACH ROW EXECUTE FUNCTION dawdle()');
    await vi.waitFor(() => expect(scene.people.some(isRefused)).toBe(true), { timeout: 120_000, interval: 100 });
    await setPace(0);
    await operator.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    await operator.query('DROP TRIGGER dawdle ON photos');
  });
  await operator.end();
  expect(report).toMatchObject(UNHARMED);
});

test('exhausted connections cost nothing', async () => {
  const report = await playFault(scene, 'connections exhausted for 5 s', async () => {
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
