// Everything that relies on the internals of pg-boss: its statement that inserts jobs, and the columns of its table.
import type pg from 'pg';
import type { PgBoss, Db as PgBossDatabase, SendOptions } from 'pg-boss';

/** The version that this file was written for. Before an update, compare its statement and its table. */
export const WRITTEN_FOR = { 'pg-boss': '12.35.0' };

/** The insert of one job as part of a larger statement. */
export interface PreparedInsert {
  /**
   * The common table expressions `ins` (the rows) and `notified` (wakes the workers; PostgreSQL runs it only if the
   * statement reads it). `jobs`: an SQL expression of type text, either `jobsJson` or '[]' for no job.
   */
  toCtes(jobs: string): string;
  jobsJson: string;
}

const STATEMENT = /^\s*WITH (ins AS \([\s\S]*\$1::text[\s\S]*\),\s*notified AS \([\s\S]*\))\s*SELECT id FROM ins\s/;

/**
 * Makes pg-boss write its insert statement without running it, and splits it into parts. The first call for a queue
 * also makes pg-boss load and cache that queue. Loaded later, inside a transaction on the one embedded connection, it
 * would wait for ever.
 */
export async function captureInsert(
  boss: PgBoss,
  name: string,
  payload: object,
  options: SendOptions,
): Promise<PreparedInsert> {
  const captured: { sql: string; values: unknown[] }[] = [];
  const db: PgBossDatabase = {
    async executeSql(sql, values = []) {
      captured.push({ sql, values });
      return { rows: [{ id: '' }] };
    },
  };
  await boss.send(name, payload, { ...options, db });
  const ctes = STATEMENT.exec(captured[0]?.sql ?? '')?.[1];
  const jobsJson = captured[0]?.values[0];
  if (!ctes || typeof jobsJson !== 'string') {
    throw new Error(`pg-boss inserts jobs by a statement of another shape than in ${WRITTEN_FOR['pg-boss']}`);
  }
  return { toCtes: (jobs) => ctes.replace('$1', () => jobs), jobsJson };
}

/**
 * Lets interrupted jobs start again at once. The embedded database belongs to this process alone, so a job that is
 * still active was left by a dead one. The retry count continues, so that a job which kills its process does not run
 * for ever.
 */
export async function resumeAbandonedJobs(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`
    UPDATE ${schema}.job SET
      state = (CASE WHEN retry_count < retry_limit THEN 'retry' ELSE 'failed' END)::${schema}.job_state,
      completed_on = CASE WHEN retry_count < retry_limit THEN NULL ELSE now() END,
      start_after = now(),
      heartbeat_on = NULL
    WHERE state = 'active'`);
}
