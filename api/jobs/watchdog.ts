import type { AppContext } from '#api/services/app-context.ts';
import { failOverdueGenerations } from '#api/services/generations/overdue.ts';

/** Gives the stars of generations back that never ended. */
export function workOnWatchdog(app: AppContext): Promise<void> {
  return app.queue.work('watchdog', { concurrency: 1 }, () => failOverdueGenerations(app));
}
