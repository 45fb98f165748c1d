import type { AppContext } from '#api/services/app-context.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';

/**
 * What the tools make here. The one place that concludes it from what the engine declares: the site, the services and
 * the bot ask for it.
 */
export function describeTools({ engine }: Pick<AppContext, 'engine'>): ToolAbilities {
  return engine.isGenerative
    ? { change: 'model_change', frames: 'poses', mover: 'person' }
    : { change: 'background_change', frames: 'views', mover: 'camera' };
}
