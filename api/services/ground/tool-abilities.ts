import type { AppContext } from '#api/services/app-context.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';

/**
 * What each tool makes with the configured engine. This is the only place that derives it from the engine. Site,
 * services and bot ask here.
 */
export function describeTools({ engine }: Pick<AppContext, 'engine'>): ToolAbilities {
  return engine.isGenerative
    ? { change: 'model_change', frames: 'poses', mover: 'person' }
    : { change: 'background_change', frames: 'views', mover: 'camera' };
}
