import { z } from 'zod';

/** Settings of a change of model as they stand in its row. */
export const modelChangeSettings = z.object({
  /** Null where no model is put in. Older rows name one that only served as a reference. */
  modelId: z.string().nullable(),
  backgroundId: z.string(),
  /** Whether the engine of that time puts the model in, or keeps the person of the photo. */
  isModelReplaced: z.boolean(),
});
