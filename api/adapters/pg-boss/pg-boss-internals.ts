// All that leans on the insides of pg-boss: the statement that it inserts jobs by, and the columns of its table.
import type pg from 'pg';
import type { PgBoss, Db as PgBossDatabase, SendOptions } from 'pg-boss';

/** The versions that this file was written for. Another one wants its statement and its table compared with it. */
export const WRITTEN_FOR = { 'pg-boss': '12.35.0' };

/** The insert of one job as a part of a larger statement. */
export interface PreparedInsert {
  /**
   * The common table expressions `ins` (the rows) and `notified` (wakes the workers, so the statement has to read it).
   * `jobs` is an SQL expression of type text: `jobsJson`, or '[]' for no job.
   */
  toCtes(jobs: string): string;
  jobsJson: string;
}

const STATEMENT = /^\s*WITH (ins AS \([\s\S]*\$1::text[\s\S]*\),\s*notified AS \([\s\S]*\))\s*SELECT id FROM ins\s/;

/**
 * Lets pg-boss write its statement without running it, and takes it apart. The first call for a queue also makes pg-boss
 * read and remember that queue: later, inside a transaction on the one embedded connection, it would wait for ever.
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
 * The embedded database belongs to this process alone, so a job that is still active was left by one that died: it
 * may start again at once. The count of retries goes on, so that a job which kills its process comes to an end.
 */
export async function takeUpAbandonedJobs(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`
    UPDATE ${schema}.job SET
      state = (CASE WHEN retry_count < retry_limit THEN 'retry' ELSE 'failed' END)::${schema}.job_state,
      completed_on = CASE WHEN retry_count < retry_limit THEN NULL ELSE now() END,
      start_after = now(),
      heartbeat_on = NULL
    WHERE state = 'active'`);
}
