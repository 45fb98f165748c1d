/**
 * Measures how fast a start of a generation is written: the hold, the row, its ledger entry and its job, 16 at once for
 * 1,000 accounts on PostgreSQL. Plain `pg` does the same in the same run for comparison: once as the statements of one
 * transaction, once as the exact statement that Podium sends.
 */
import pg from 'pg';
import { pino } from 'pino';
import { createRowId, openDatabase } from '#api/db.ts';
import { openQueue } from '#api/queue.ts';
import {
  buildHoldStatement,
  type HeldGeneration,
  holdAndInsertGeneration,
} from '#api/services/generations/start-generation-statement.ts';
import { prepareCount, START_LIMIT } from '#api/services/ground/shared-limits.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';

const config = { sessionSecret: 'secret' };
const BUDGET = 0.5;
const ACCOUNTS = 1000;
const AT_ONCE = 16;
const ROUNDS = 5;
const ROUND_MS = 1000;

const binaries = findPostgresBinaries();
if (!process.env.TEST_DATABASE_URL && !binaries) throw new Error('This bench needs PostgreSQL: set TEST_DATABASE_URL');
const server = process.env.TEST_DATABASE_URL || !binaries ? null : await startPrivatePostgres(binaries);
process.env.TEST_DATABASE_URL ||= server?.url;
const place = await createTestDatabase();
const log = pino({ level: 'silent' });
const database = await openDatabase(place, log);
const queue = await openQueue(database, { databaseUrl: place.databaseUrl, roles: ['api'] }, log);
const plain = new pg.Pool({ connectionString: place.databaseUrl, max: AT_ONCE });
try {
  const rows = await prepareAccounts();
  const contestants = { podium: holdThroughPodium, transaction: holdInTransaction, statement: holdByStatement };
  const rates = { podium: [] as number[], transaction: [] as number[], statement: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, hold] of Object.entries(contestants) as [keyof typeof rates, typeof holdByStatement][]) {
      const rate = await measure(() => hold(rows[Math.floor(Math.random() * ACCOUNTS)] as HeldGeneration));
      // The first round is a warm-up.
      if (round >= 0) rates[name].push(rate);
    }
  }
  const ratio = median(rates.podium.map((rate, round) => rate / (rates.transaction[round] ?? 0)));
  const strict = median(rates.podium.map((rate, round) => rate / (rates.statement[round] ?? 0)));
  console.log(
    `hold+row+job through Podium / plain pg: ${ratio.toFixed(2)} (budget ${BUDGET}); ` +
      `/ plain pg with Podium's own single statement: ${strict.toFixed(2)}; Podium ${Math.round(median(rates.podium))} a second`,
  );
  process.exitCode = ratio >= BUDGET ? 0 : 1;
} finally {
  await queue.stop();
  await plain.end();
  await database.close();
  await place.remove();
  await server?.stop();
}

async function holdThroughPodium(row: HeldGeneration): Promise<void> {
  const { state } = await holdAndInsertGeneration({ db: database.db, queue, config }, row);
  if (state !== 'inserted') throw new Error(state);
}

async function holdByStatement(row: HeldGeneration): Promise<void> {
  const id = createRowId();
  const job = await queue.prepareInsert('run-generation', { generationId: id }, { priority: row.priority });
  const { sql, values } = buildHoldStatement(
    id,
    row,
    job,
    prepareCount({ config }, START_LIMIT, `video:${row.accountId}`),
  );
  await plain.query(sql, values);
}

async function holdInTransaction(row: HeldGeneration): Promise<void> {
  const id = createRowId();
  const job = await queue.prepareInsert('run-generation', { generationId: id }, { priority: row.priority });
  const client = await plain.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE accounts SET star_balance = star_balance - $2 WHERE id = $1 AND star_balance >= $2', [
      row.accountId,
      row.stars,
    ]);
    await client.query(
      `INSERT INTO generations (id, account_id, kind, settings, stars, idempotency_key, request_hash, engine)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, row.accountId, row.kind, row.settings, row.stars, null, row.requestHash, row.engine],
    );
    for (const [position, { role, photoId }] of row.inputs.entries()) {
      await client.query(
        'INSERT INTO generation_inputs (generation_id, position, role, photo_id) VALUES ($1, $2, $3, $4)',
        [id, position, role, photoId],
      );
    }
    await client.query(
      `INSERT INTO star_entries (account_id, kind, delta, cause_key, generation_id) VALUES ($1, 'hold', $2, $3, $4)`,
      [row.accountId, -row.stars, `hold:${id}`, id],
    );
    await client.query(`WITH ${job.toCtes('$1')} SELECT count(*) FROM notified`, [job.jobsJson]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function prepareAccounts(): Promise<HeldGeneration[]> {
  // Each account starts many generations here. The bench measures writes and not the refusal of a second start.
  await database.pool.query('DROP INDEX generations_one_active_key');
  const { rows } = await database.pool.query<{ id: number; photo_id: string }>(
    `WITH account AS (
       INSERT INTO accounts (email, email_key, password_hash, username, star_balance)
       SELECT 'bench-' || n, 'bench-' || n, '', '', 1000000 FROM generate_series(1, $1) n RETURNING id
     )
     INSERT INTO photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key)
     SELECT gen_random_uuid(), id, '', '', 1, 1, 1, '', '', '' FROM account RETURNING account_id AS id, id AS photo_id`,
    [ACCOUNTS],
  );
  return rows.map(({ id, photo_id }) => ({
    accountId: id,
    kind: 'video' as const,
    inputs: [{ role: 'subject' as const, photoId: photo_id }],
    settings: { duration: 5, preset: 'spin', aspectRatio: '3:4' },
    stars: 1,
    reroll: null,
    idempotencyKey: null,
    requestHash: new Uint8Array(32),
    engine: 'local',
    job: 'run-generation',
    expectedSeconds: null,
    priority: 0,
  }));
}

/** Operations a second, AT_ONCE at a time. */
async function measure(operation: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - start < ROUND_MS) {
        await operation();
        done++;
      }
    }),
  );
  return (done / (performance.now() - start)) * 1000;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
