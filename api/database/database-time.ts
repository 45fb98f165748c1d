import type { Tx } from './database.ts';

/**
 * The time by the database's clock, which is one for all processes. Ages and orders of rows go by it where a clock that
 * jumps must not matter.
 */
export async function readDatabaseTime(db: Pick<Tx, '$queryRaw'>): Promise<Date> {
  const [{ now }] = await db.$queryRaw<[{ now: Date }]>`select now() as now`;
  return now;
}
