import * as z from 'zod/mini';

/** Settings of a change of model, as its row stores them and as its owner sees them. */
export const modelChangeSettings = z.object({
  /** Null when no model is used. */
  modelId: z.nullable(z.string()),
  backgroundId: z.string(),
  /** False when the engine at that time kept the person of the photo and only changed the background. */
  isModelReplaced: z.boolean(),
});
