import type { AppContext } from '#api/services/app-context.ts';
import { removeOrphanFiles } from '#api/services/leaving/orphan-files.ts';

/** Removes stored files that no row names. */
export function workOnFileSweep(app: AppContext): Promise<void> {
  return app.queue.work('sweep-files', { concurrency: 1 }, (_payload, signal) => removeOrphanFiles(app, signal));
}
