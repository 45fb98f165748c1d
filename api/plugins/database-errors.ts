/** Prisma: cannot reach, timed out, connection closed, no free connection, transaction not started in time. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
/** The system's, where the driver passes them on. */
const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
/** PostgreSQL: connection exceptions (08…), shut down or starting (57P0…), too many connections. */
const SERVER_CODE = /^(08...|57P0[1-5]|53300)$/;
/** What the pool and the driver say without a code. */
const TEXT = /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after calling end/i;

/** Whether an error means that the database cannot be reached now, so that the same request may succeed later. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (PRISMA_CODES.has(code) || SYSTEM_CODES.has(code) || SERVER_CODE.test(code) || TEXT.test(error.message))
    return true;
  return isDatabaseUnreachable(error.cause);
}
