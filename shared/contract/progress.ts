import { z } from 'zod';

/** Progress that the engine really reports; null where it reports none. */
export const progress = z.object({
  /** Share of the work done, 0 to 1. */
  share: z.number().min(0).max(1).nullable(),
  startedAt: z.iso.datetime(),
  /** By the server's clock; null while it runs. */
  finishedAt: z.iso.datetime().nullable(),
  /**
   * Whole seconds that recent runs of this tool, engine and duration had taken in the median when it was started; stays as
   * it is while it runs. Null without history.
   */
  expectedSeconds: z.int().nullable(),
});
export type Progress = z.infer<typeof progress>;
