import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { openQueue } from '#api/queue/queue.ts';
import { type ChildScript, runChildScript } from '#tests/support/child-script.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';

const log = pino({ level: 'silent' });
let place: TestDatabasePlace;
let child: ChildScript;

beforeEach(async () => {
  place = await createTestDatabase();
});
afterEach(async () => {
  await child.kill();
  await place.remove();
});

/** Starts a process that sends one job, takes it and never finishes it. */
async function startJobInChild(): Promise<string> {
  const { dataDir, databaseUrl } = place;
  child = runChildScript(`
    import { pino } from 'pino';
    import { openDatabase } from '#api/database/database.ts';
    import { openQueue } from '#api/queue/queue.ts';
    const config = { ...${JSON.stringify({ dataDir, databaseUrl })}, roles: ['worker'] };
    const log = pino({ level: 'silent' });
    const database = await openDatabase(config, log);
    const queue = await openQueue(database, config, log);
    await queue.work('run-generation', { concurrency: 1 }, ({ generationId }) => {
      console.log(generationId);
      return new Promise(() => {});
    });
    await database.db.$transaction((tx) => queue.send(tx, 'run-generation', { generationId: crypto.randomUUID() }));
  `);
  return child.nextLine();
}

async function listJobs({ pool }: DatabaseHandle) {
  const { rows } = await pool.query(
    `SELECT state, start_after <= now() AS "isDue" FROM pgboss.job WHERE name = 'run-generation'`,
  );
  return rows;
}

// With its shortest heartbeat pg-boss takes over after thirteen seconds, on a busy machine much later.
test('the job of a worker that was killed is run by the next one', async () => {
  const generationId = await startJobInChild();
  await child.kill();
  const database = await openDatabase(place, log);
  const queue = await openQueue(database, { databaseUrl: place.databaseUrl, roles: ['worker'] }, log);
  // The embedded database belongs to one process, so the job is free at once, without waiting for a heartbeat.
  if (database.isEmbedded) expect(await listJobs(database)).toEqual([{ state: 'retry', isDue: true }]);
  const started = Promise.withResolvers<string>();
  await queue.work('run-generation', { concurrency: 1 }, async (payload) => started.resolve(payload.generationId));
  expect(await started.promise).toBe(generationId);
  await queue.stop();
  await database.close();
});
