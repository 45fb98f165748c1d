// Everything that relies on where Prisma stores the database's code and message. Prisma documents the codes of its own
// errors but not their metadata. Our own statements fail with the driver's errors.
import pg from 'pg';
import { z } from 'zod';

/** The versions that this file was written for. Before an update, run the tests of this file on PostgreSQL. */
export const WRITTEN_FOR = { '@prisma/client': '7.10.0', '@prisma/adapter-pg': '7.10.0' };

const wrapped = <Cause extends z.ZodType>(cause: Cause) =>
  z.object({ meta: z.object({ driverAdapterError: z.object({ cause }) }) });
const uniqueViolation = wrapped(z.object({ constraint: z.object({ index: z.string() }) }));
const serverError = wrapped(z.object({ originalCode: z.string() }));

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * The name of the unique constraint or index that a statement violated, and of the foreign key for a statement that was
 * sent as SQL. Null for any other error.
 */
export function findViolatedConstraint(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) {
    return [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION].includes(error.code ?? '') ? (error.constraint ?? null) : null;
  }
  const parsed = uniqueViolation.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.constraint.index : null;
}

/** PostgreSQL's own code of an error, such as `57014`. Null when the server did not send one. */
export function findServerCode(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  const parsed = serverError.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.originalCode : null;
}
