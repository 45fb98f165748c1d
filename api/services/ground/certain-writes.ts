import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseFault, isOutcomeUnknown } from '#api/database-faults.ts';
import type { Db, Tx } from '#api/db.ts';

/** How long the outcome of a broken write is looked for. Somebody waits for the answer. */
const LOOK_MS = 4000;
const PAUSE_MS = 100;

/**
 * A transaction whose outcome is found out when the connection breaks at the commit: the answer may be lost after the
 * work was done. Throws the error of the connection when the transaction was rolled back, or when the database cannot
 * be asked within a few seconds.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done: { result: T; transactionId: string | null }[] = [];
  try {
    return await db.$transaction(async (tx) => {
      const result = await work(tx);
      done.push({ result, transactionId: await getTransactionId(tx) });
      return result;
    });
  } catch (error) {
    const [last] = done;
    if (!last || !isOutcomeUnknown(error)) throw error;
    const { transactionId } = last;
    // A transaction without an id has written nothing.
    if (transactionId === null || (await lookUp(() => findIfCommitted(db, transactionId)))) return last.result;
    throw error;
  }
}

/**
 * The same for one statement, whose transaction cannot be asked for: `find` looks for what it has written, by an id
 * that was made before. The statement may still run when its connection breaks, so what is not found may appear later.
 */
export async function writeOnce<T>(write: () => Promise<T>, find: () => Promise<T | null>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    const found = await lookUp(async () => ({ answer: await find() }));
    if (found?.answer == null) throw error;
    return found.answer;
  }
}

async function getTransactionId(tx: Tx): Promise<string | null> {
  const [{ id }] = await tx.$queryRaw<[{ id: string | null }]>`
    select pg_current_xact_id_if_assigned()::text as id`;
  return id;
}

/** Null while the transaction is in progress. */
async function findIfCommitted(db: Db, transactionId: string): Promise<boolean | null> {
  const [{ status }] = await db.$queryRaw<[{ status: string | null }]>`
    select pg_xact_status(${transactionId}::text::xid8) as status`;
  return status === 'in progress' ? null : status === 'committed';
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
