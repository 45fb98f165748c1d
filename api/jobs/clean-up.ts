import type { AppContext } from '#api/services/app-context.ts';
import { removeExpired } from '#api/services/leaving/clean-up.ts';

/** Removes what nobody can use any more. */
export function workOnCleanUp(app: AppContext): Promise<void> {
  return app.queue.work('clean-up', { concurrency: 1 }, () => removeExpired(app));
}
