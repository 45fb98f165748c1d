import { z } from 'zod';

/** Progress that the engine really reports; null where it reports none. */
export const progress = z.object({
  /** Share of the work done, 0 to 1. */
  share: z.number().min(0).max(1).nullable(),
  startedAt: z.iso.datetime(),
  /** By the server's clock; null while it runs. */
  finishedAt: z.iso.datetime().nullable(),
  /**
   * The median of recent runs of this tool, engine and duration at the start, in whole seconds. It does not change
   * during the run. Null without earlier runs.
   */
  expectedSeconds: z.int().nullable(),
});
export type Progress = z.infer<typeof progress>;
