import * as z from 'zod/mini';

/** Progress as the engine reports it. Null when it reports none. */
export const progress = z.object({
  /** Share of the work done, 0 to 1. */
  share: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
  startedAt: z.iso.datetime(),
  /** By the server's clock. Null while it runs. */
  finishedAt: z.nullable(z.iso.datetime()),
  /** Median of recent runs of this tool, engine and length, in whole seconds. Does not change during the run. */
  expectedSeconds: z.nullable(z.int()),
  /** Whether the work is done by a service elsewhere, which has a queue and takes minutes. */
  isRemote: z.boolean(),
});
export type Progress = z.infer<typeof progress>;
