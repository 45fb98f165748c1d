import type { Generation } from '#prisma/generated/client.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import type { ResultKind } from '#shared/rules/tools.ts';

/** What a generation really makes. A change of model may keep the person of the photo; then it changes the background. */
export function resultKindOf({ kind, settings }: Pick<Generation, 'kind' | 'settings'>): ResultKind {
  if (kind !== 'model_change') return kind;
  const { data: choice } = modelChangeSettings.safeParse(settings);
  return choice?.isModelReplaced === false ? 'background_change' : kind;
}
