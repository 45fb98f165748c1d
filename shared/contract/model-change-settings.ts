import * as z from 'zod/mini';

/** What a person chooses of the catalogue for a change of model. */
export const modelChangeChoice = z.object({
  /** Null when no model is used. */
  modelId: z.nullable(z.string()),
  backgroundId: z.string(),
});

/** Settings of a change of model, as its row stores them and as its owner sees them. */
export const modelChangeSettings = z.extend(modelChangeChoice, {
  /** False when the engine at that time kept the person of the photo and only changed the background. */
  isModelReplaced: z.boolean(),
});
