// What pg-boss documents no way for: to take up the jobs of a dead process at once, to ask for the due jobs of all kinds
// in one statement, to tell how old the oldest one is, to count what has failed, and to list jobs for a backup.
// Everything here relies on the columns of its tables.
import type pg from 'pg';

/** The version that this file was written for. Before an update, compare its tables. */
export const WRITTEN_FOR = { 'pg-boss': '12.35.0' };

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

/**
 * Those of the names that have a job to do. A named statement is planned once, which takes longer than running it. A
 * name is looked up in the index `job_i11`, however many of its jobs wait.
 */
export async function listDueJobs(pool: Pick<pg.Pool, 'query'>, schema: string, names: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'list-due-jobs',
    text: `
      SELECT kinds.name FROM unnest($1::text[]) AS kinds (name), LATERAL (
        SELECT FROM ${schema}.job
        WHERE job.name = kinds.name AND state < 'active' AND NOT blocked AND start_after <= now() LIMIT 1) AS due`,
    values: [names],
  });
  return rows.map(({ name }) => name);
}

/** What waits in the queue, and whether anybody works on it. */
export interface QueueMeasure {
  /** Every kind of job. */
  waiting: { job: string; count: number; oldestSeconds: number }[];
  /** How long ago a worker looked after the queue, which each does every few seconds. Null: never. */
  workerSeenSecondsAgo: number | null;
}

/**
 * Measures with two short statements. The index `job_i11` holds only jobs that have not begun, so finished ones cost
 * nothing.
 */
export async function measureQueue(pool: Pick<pg.Pool, 'query'>, schema: string): Promise<QueueMeasure> {
  const { rows: waiting } = await pool.query<QueueMeasure['waiting'][number]>(`
    SELECT queue.name AS job, count(job.id)::int AS count,
      coalesce(extract(epoch FROM now() - min(job.start_after)), 0)::float8 AS "oldestSeconds"
    FROM ${schema}.queue LEFT JOIN ${schema}.job
      ON job.name = queue.name AND job.state < 'active' AND NOT job.blocked AND job.start_after <= now()
    GROUP BY queue.name ORDER BY queue.name`);
  const { rows } = await pool.query<{ seconds: number | null }>(`
    SELECT extract(epoch FROM now() - max(monitor_claim_on))::float8 AS seconds FROM ${schema}.queue`);
  return { waiting, workerSeenSecondsAgo: rows[0]?.seconds ?? null };
}

/** Jobs that failed within a day and are not tried again, by their kind. */
export async function countFailedJobs(
  pool: Pick<pg.Pool, 'query'>,
  schema: string,
): Promise<{ job: string; failures: number }[]> {
  const { rows } = await pool.query<{ job: string; failures: number }>(`
    SELECT name AS job, count(*)::int AS failures FROM ${schema}.job
    WHERE state = 'failed' AND completed_on > now() - interval '1 day' GROUP BY name ORDER BY name`);
  return rows;
}

/** Selects the jobs that have not ended, each as JSON in a column `line`: what is needed to send it again. */
export function selectUnfinishedJobs(schema: string): string {
  return `
    SELECT json_build_object(
      'name', name, 'data', coalesce(data, '{}'), 'priority', priority, 'startAfter', start_after)::text AS line
    FROM ${schema}.job WHERE state < 'completed' ORDER BY created_on`;
}
