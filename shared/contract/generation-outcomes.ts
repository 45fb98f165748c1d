import * as z from 'zod/mini';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';

/** A page that is older than its server may not know the code. */
export const failureCode = z.catch(
  z.enum(Object.keys(GENERATION_FAILURES) as [keyof typeof GENERATION_FAILURES]),
  'engine_error',
);

/** What lost files of a result have cost. */
export const resultLoss = z.object({
  /** Stars that come back on request, or have come back. 0 when it has cost nothing. */
  stars: z.int(),
  isReturned: z.boolean(),
});
export type ResultLoss = z.infer<typeof resultLoss>;
