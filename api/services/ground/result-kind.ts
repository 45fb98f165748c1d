import { z } from 'zod';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { ResultKind } from '#shared/rules/tools.ts';

/** What has to be known to tell the kind of a result. */
export interface ResultKindSources {
  catalogue: Pick<AppContext['catalogue'], 'backgrounds'>;
}

/**
 * What a generation really makes. A change of model may leave the person of the photo, and then it is a change of what is
 * behind; with the photo's own background it changed nothing.
 */
export function resultKindOf(
  { catalogue }: ResultKindSources,
  { kind, settings }: Pick<Generation, 'kind' | 'settings'>,
): ResultKind {
  if (kind !== 'model_change') return kind;
  const { data: choice } = modelChangeSettings.safeParse(settings);
  if (!choice || choice.isModelReplaced) return kind;
  const background = catalogue.backgrounds.find(({ id }) => id === choice.backgroundId);
  return background?.type === 'keep_original' ? 'photo_kept' : 'background_change';
}

/** Settings of a change of model as they stand in its row. */
export const modelChangeSettings = z.object({
  /** Null where no model is put in. Older rows name one that only served as a reference. */
  modelId: z.string().nullable(),
  backgroundId: z.string(),
  /** Whether the engine of that time puts the model in, or keeps the person of the photo. */
  isModelReplaced: z.boolean(),
});
