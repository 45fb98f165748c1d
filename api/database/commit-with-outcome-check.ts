import { setTimeout as wait } from 'node:timers/promises';
import { Prisma } from '#prisma/generated/client.ts';
import type { Db, Tx } from './database.ts';
import { isDatabaseFault, isIdNotGiven, isOutcomeUnknown } from './faults.ts';

/** No question about the outcome begins later. Somebody waits for the answer. */
const LOOK_MS = 4000;
const PAUSE_MS = 100;

/**
 * Runs `work` in a transaction. When the connection breaks at the commit, the answer may be lost although the work was
 * done. Then this finds out whether it was, and returns the result if so.
 *
 * `isCommitted` looks for a row that the work has written, and must wait while the transaction is in progress. Without
 * `isCommitted` the server is asked by the transaction's id, which takes one more statement in every transaction to read.
 *
 * Throws the error of the connection when the transaction was rolled back, when the server has crashed in the meantime,
 * or when the database has given no answer for a few seconds.
 */
export async function commitWithOutcomeCheck<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  isCommitted?: (result: T) => Promise<boolean>,
): Promise<T> {
  const done: { result: T; isCommitted: () => Promise<boolean | null> }[] = [];
  try {
    return await db.$transaction(async (tx) => {
      const result = await work(tx);
      done.push({ result, isCommitted: isCommitted ? () => isCommitted(result) : await lookById(db, tx) });
      return result;
    });
  } catch (error) {
    const [last] = done;
    if (last && isOutcomeUnknown(error) && (await lookUp(last.isCommitted))) return last.result;
    throw error;
  }
}

/** How to find out by its id whether this transaction was committed. One without an id has written nothing. */
async function lookById(db: Db, tx: Tx): Promise<() => Promise<boolean | null>> {
  const written = await findWritten(tx);
  return async () => written === null || findIfCommitted(db, written);
}

/** A transaction that has written something. */
interface Written {
  id: string;
  /** The life of the server that gave the id. */
  life: string;
}

/**
 * Changes when the server starts, when another one takes its place, and when it recovers from a crash, after which
 * PostgreSQL begins its statistics anew. A crash may lose ids that were not yet on the disk, and give them again.
 */
const LIFE = Prisma.sql`concat_ws(' ',
  extract(epoch from pg_postmaster_start_time()), (select extract(epoch from stats_reset) from pg_stat_bgwriter))`;

async function findWritten(tx: Tx): Promise<Written | null> {
  const [{ id, life }] = await tx.$queryRaw<[{ id: string | null; life: string }]>`
    select pg_current_xact_id_if_assigned()::text as id, ${LIFE} as life`;
  return id === null ? null : { id, life };
}

/** Null while the transaction is in progress. False also when a crash has made it uncertain whose id this is. */
async function findIfCommitted(db: Db, { id, life }: Written): Promise<boolean | null> {
  try {
    const [{ status, isSameLife }] = await db.$queryRaw<[{ status: string | null; isSameLife: boolean }]>`
      select pg_xact_status(${id}::text::xid8) as status, ${LIFE} = ${life} as "isSameLife"`;
    if (!isSameLife) return false;
    return status === 'in progress' ? null : status === 'committed';
  } catch (error) {
    // A crash has lost the transaction.
    if (isIdNotGiven(error)) return false;
    throw error;
  }
}

/** Asks until there is an answer. Null when the database has none in time. */
async function lookUp<T>(ask: () => Promise<T | null>): Promise<T | null> {
  const deadline = performance.now() + LOOK_MS;
  while (performance.now() < deadline) {
    await wait(PAUSE_MS);
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      if (!isDatabaseFault(error)) throw error;
    }
  }
  return null;
}
