import type { AppContext } from '#api/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { CHANGE_NAMES, type Made } from '#shared/rules/what-is-made.ts';
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

/** What the gallery calls a change of model or background; an entry that has left the catalogue since is not named. */
export function titleChange(app: Pick<AppContext, 'catalogue'>, settings: unknown): string {
  const { modelId, backgroundId, isModelReplaced } = modelChangeSettings.parse(settings);
  const { models, backgrounds } = app.catalogue;
  const entry = isModelReplaced
    ? models.find(({ id }) => id === modelId)
    : backgrounds.find(({ id }) => id === backgroundId);
  const name = CHANGE_NAMES[isModelReplaced ? 'model_change' : 'background_change'];
  return entry ? `${name}: ${entry.name}` : name;
}
