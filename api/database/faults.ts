import { findServerCode } from '#prisma/database-errors.ts';
import { isConnectionError, NotSentError } from './pool.ts';

/**
 * PostgreSQL: connection exceptions (08…), refused sign-in (28…), short of resources such as connections, disk or
 * memory (53…), errors of its system (58…), shut down or starting (57P0…), statement timeout, lock timeout, deadlock,
 * serialization failure, timeouts of transactions, read-only (a standby).
 */
const SERVER_CODE = /^(08...|28...|53...|58...|57P0[1-5]|57014|55P03|40P01|40001|25P0[34]|25006)$/;
/** Prisma: cannot reach, refused, timed out, TLS, connection closed, no free connection, transaction not in time. */
const PRISMA_CODES = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
]);
/** Messages of the driver that have no code. */
const TEXT = /^Connection terminated|^Query read timeout|is not queryable$/;

/**
 * Whether an error means that the database cannot serve at the moment, so that the same request may succeed later. None
 * of these is an error of the program. A broken connection to another server is not meant.
 */
export function isDatabaseFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof NotSentError || isConnectionError(error)) return true;
  const serverCode = findServerCode(error);
  if (serverCode !== null) return SERVER_CODE.test(serverCode);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (PRISMA_CODES.has(code) || SERVER_CODE.test(code) || TEXT.test(error.message)) return true;
  return isDatabaseFault(error.cause);
}

/** Distinguishes faults of the database from each other: the kind of the error and its code. */
export function describeDatabaseFault(error: Error): string {
  const { code = '' } = error as { code?: unknown };
  return `${error.name} ${findServerCode(error) ?? code}`;
}

/** PostgreSQL: connection exceptions, shut down. The statement may have been done before. */
const BREAK_CODE = /^(08...|57P0[1-5])$/;

/**
 * Whether an error leaves it open if its statement was done: the connection broke, and only the answer may be lost. A
 * statement that was never sent was not done.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof NotSentError) return false;
  const serverCode = findServerCode(error);
  return serverCode === null ? isDatabaseFault(error) : BREAK_CODE.test(serverCode);
}

/** Whether `pg_xact_status` says that no transaction has had this id. Its code stands for any unfit parameter. */
export function isIdNotGiven(error: unknown): boolean {
  return findServerCode(error) === '22023';
}
