import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { Made } from '#shared/rules/what-is-made.ts';
import { modelChangeSettings } from './model-change-choice.ts';

/** What has to be known to tell. */
export interface MadeSources {
  catalogue: Pick<AppContext['catalogue'], 'backgrounds'>;
}

/** What to call a result truly. */
export function whatIsMade(
  { catalogue }: MadeSources,
  { kind, settings }: Pick<Generation, 'kind' | 'settings'>,
): Made {
  if (kind !== 'model_change') return kind;
  const { data: choice } = modelChangeSettings.safeParse(settings);
  if (!choice || choice.isModelReplaced) return kind;
  const background = catalogue.backgrounds.find(({ id }) => id === choice.backgroundId);
  return background?.type === 'keep_original' ? 'photo_kept' : 'background_change';
}
