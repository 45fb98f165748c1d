/**
 * Measures how many videos a second are started, 16 at once, for 1,000 accounts on PostgreSQL: all that a start does, from
 * its first look-up to the answer. The floor writes the same rows with plain `pg`, in one transaction of plain statements
 * that share no code with Podium's: the count of starts, the hold, the generation with its photo and its ledger row, the
 * job, and the notifications of all that.
 */

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { endGenerationsAtOnce } from '#tests/support/end-generations-at-once.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { alternate, reportFigure } from './figures.ts';

const BUDGET = 0.35;
const ACCOUNTS = 1000;
const AT_ONCE = 16;
const ROUNDS = 5;
const ROUND_MS = 1500;

interface Starter {
  id: number;
  photoId: string;
}

const server = await startPrivatePostgres();
process.env.TEST_DATABASE_URL = server.url;
const fixture = await createTestApp({ env: { ROLES: 'api', DATABASE_POOL: String(AT_ONCE) } });
const { app } = fixture;
const plain = new pg.Pool({ connectionString: fixture.database.databaseUrl, max: AT_ONCE });
try {
  const starters = await createStarters();
  const choice = videoSettings.parse({});
  const throughPodium = ({ id, photoId }: Starter) =>
    startGeneration(app, {
      account: { id },
      kind: 'video',
      photos: { subject: { imageId: photoId } },
      choice,
      key: randomUUID(),
    });
  const measure = (start: (starter: Starter) => Promise<unknown>) => measureRate(starters, start);
  const { values, floorValues } = await alternate(ROUNDS, {
    figure: () => measure(throughPodium),
    floor: () => measure(startInPlainSql),
  });
  reportFigure({
    what: 'a start: spend, row and job',
    unit: 'a second',
    values,
    floor: { what: 'plain pg', values: floorValues },
    budget: { atLeast: BUDGET },
  });
} finally {
  await plain.end();
  await fixture.close();
  await server.stop();
}

async function startInPlainSql({ id: accountId, photoId }: Starter): Promise<void> {
  const id = randomUUID();
  const client = await plain.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT id, account_id FROM photos WHERE id = $1', [photoId]);
    if (rows[0]?.account_id !== accountId) throw new Error('not their photo');
    await client.query(
      `INSERT INTO limit_counts (key, points, expire) VALUES (md5($1), 1, extract(epoch from now() + interval '1 minute') * 1000)
       ON CONFLICT (key) DO UPDATE SET points = limit_counts.points + 1`,
      [String(accountId)],
    );
    const { rowCount } = await client.query(
      'UPDATE accounts SET star_balance = star_balance - 1 WHERE id = $1 AND star_balance >= 1',
      [accountId],
    );
    if (rowCount !== 1) throw new Error('no stars');
    await client.query(
      `INSERT INTO generations (id, account_id, kind, settings, stars, idempotency_key, request_hash, engine)
       VALUES ($1, $2, 'video', $3, 1, $4, $5, 'fake')`,
      [id, accountId, '{"duration":5}', randomUUID(), Buffer.alloc(32)],
    );
    await client.query(
      `INSERT INTO generation_inputs (generation_id, position, role, photo_id) VALUES ($1, 0, 'subject', $2)`,
      [id, photoId],
    );
    await client.query(
      `INSERT INTO star_entries (account_id, kind, delta, cause_key, generation_id) VALUES ($1, 'hold', -1, $2, $3)`,
      [accountId, `plain:${id}`, id],
    );
    await client.query(`INSERT INTO pgboss.job (name, data) VALUES ('run-generation', $1)`, [
      JSON.stringify({ generationId: id }),
    ]);
    await client.query(`SELECT pg_notify('plain_jobs', $1), pg_notify('plain_pages', $1)`, [id]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function createStarters(): Promise<Starter[]> {
  // Each account starts many videos here. The bench measures writes and not the refusal of a second start.
  await endGenerationsAtOnce(fixture.database.pool);
  const { rows } = await fixture.database.pool.query<Starter>(
    `WITH account AS (
       INSERT INTO accounts (email, email_key, password_hash, username, star_balance, consent_version)
       SELECT 'bench-' || n, 'bench-' || n, '', '', 1000000, $2 FROM generate_series(1, $1) n RETURNING id
     )
     INSERT INTO photos (id, account_id, name, type, size, width, height, master_key, preview_key,
       thumbnail_key, master_bytes, preview_bytes, thumbnail_bytes, stored_bytes)
     SELECT gen_random_uuid(), id, '', '', 1, 1, 1, 'photos/' || id || '/master.jpg', '', '', 1, 1, 1, 3 FROM account
     RETURNING account_id AS id, id AS "photoId"`,
    [ACCOUNTS, DOCUMENTS_VERSION],
  );
  for (const { id } of rows) {
    const folder = path.join(app.config.dataDir, 'files', 'photos', String(id));
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'master.jpg'), 'x');
  }
  await fixture.database.pool.query('ANALYZE');
  return rows;
}

/** Starts a second, so many at a time. */
async function measureRate(starters: Starter[], start: (starter: Starter) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const startOn = async () => {
    while (performance.now() - begun < ROUND_MS) {
      await start(starters[Math.floor(Math.random() * starters.length)] as Starter);
      done++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startOn));
  return (done / (performance.now() - begun)) * 1000;
}
