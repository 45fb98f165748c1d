import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import type { ResultKind } from '#shared/rules/tools.ts';

/** What the kind of a result is derived from. */
export interface ResultKindSources {
  catalogue: Pick<AppContext['catalogue'], 'backgrounds'>;
}

/**
 * What a generation really makes. A change of model may keep the person of the photo; then it is a change of
 * background. With the photo's own background it changed nothing.
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
