import { z } from 'zod';
import type { AppContext } from '#api/app-context.ts';

/** Settings of a change of model as they stand in its row. */
export const modelChangeSettings = z.object({
  modelId: z.string(),
  backgroundId: z.string(),
  /** Whether the engine of that time puts the model in, or keeps the person of the photo. */
  isModelReplaced: z.boolean(),
});

/** What the gallery calls the result; a model that has left the catalogue since is not named. */
export function titleModelChange({ catalogue }: Pick<AppContext, 'catalogue'>, settings: unknown): string {
  const { modelId } = modelChangeSettings.parse(settings);
  const model = catalogue.models.find(({ id }) => id === modelId);
  return model ? `Смена модели: ${model.name}` : 'Смена модели';
}
