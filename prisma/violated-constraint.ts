// All that leans on where Prisma keeps what the database said: it documents the code of an error, not its metadata.
import { z } from 'zod';

/** The versions that this file was written for. Another one wants the error of a unique violation looked at. */
export const WRITTEN_FOR = { '@prisma/client': '7.10.0', '@prisma/adapter-pg': '7.10.0' };

const uniqueViolation = z.object({
  meta: z.object({
    driverAdapterError: z.object({ cause: z.object({ constraint: z.object({ index: z.string() }) }) }),
  }),
});

/** Which unique constraint or index a statement ran into, by its name in the database; null for any other error. */
export function findViolatedConstraint(error: unknown): string | null {
  const parsed = uniqueViolation.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.constraint.index : null;
}
