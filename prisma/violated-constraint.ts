// Everything that relies on where Prisma stores the database's message. Prisma documents the codes of errors but not
// their metadata.
import { z } from 'zod';

/** The versions that this file was written for. Before an update, check the error of a unique violation. */
export const WRITTEN_FOR = { '@prisma/client': '7.10.0', '@prisma/adapter-pg': '7.10.0' };

const uniqueViolation = z.object({
  meta: z.object({
    driverAdapterError: z.object({ cause: z.object({ constraint: z.object({ index: z.string() }) }) }),
  }),
});

/** The name of the unique constraint or index that a statement violated. Null for any other error. */
export function findViolatedConstraint(error: unknown): string | null {
  const parsed = uniqueViolation.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.constraint.index : null;
}
