import type { AppContext } from '#api/services/app-context.ts';
import { failOverdueGenerations } from '#api/services/generations/overdue.ts';

/** Fails generations that never ended, which gives their stars back. */
export function workOnWatchdog(app: AppContext): Promise<void> {
  return app.queue.work('watchdog', { concurrency: 1 }, () => failOverdueGenerations(app));
}
