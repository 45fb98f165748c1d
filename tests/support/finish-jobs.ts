import type pg from 'pg';
import { expect, vi } from 'vitest';
import type { JobName } from '#api/queue/job-definitions.ts';

/** Waits until the jobs of these names that are due now are done. */
export function finishJobs(pool: pg.Pool, names: readonly JobName[]): Promise<void> {
  return vi.waitFor(async () => {
    const { rows } = await pool.query(
      `SELECT name FROM pgboss.job
       WHERE state IN ('created', 'retry', 'active') AND start_after <= now() AND name = ANY($1)`,
      [names],
    );
    expect(rows).toEqual([]);
  }, 60_000);
}

/** Ends the pauses of failed jobs, so that they are tried again now. */
export async function endPauses(pool: pg.Pool, name: JobName): Promise<void> {
  await pool.query(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND name = $1`, [name]);
}
