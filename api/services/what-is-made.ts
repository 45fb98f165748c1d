import type { AppContext } from '#api/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { modelChangeSettings } from './model-change-choice.ts';

/** What a generation really makes: a change of model may leave the person, and then it is a change of what is behind. */
export type Made = GenerationKind | 'background_change' | 'photo_kept';

/** What to call a result truly. */
export function whatIsMade(
  { catalogue }: Pick<AppContext, 'catalogue'>,
  { kind, settings }: Pick<Generation, 'kind' | 'settings'>,
): Made {
  if (kind !== 'model_change') return kind;
  const { data: choice } = modelChangeSettings.safeParse(settings);
  if (!choice || choice.isModelReplaced) return kind;
  const background = catalogue.backgrounds.find(({ id }) => id === choice.backgroundId);
  return background?.type === 'keep_original' ? 'photo_kept' : 'background_change';
}
