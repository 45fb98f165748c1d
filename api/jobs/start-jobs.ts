import type { AppContext } from '#api/app-context.ts';
import { workOnCleanUp } from './clean-up.ts';
import { workOnGenerations } from './run-generation.ts';
import { workOnWatchdog } from './watchdog.ts';

/** The background door: every job and what it does. */
export async function startJobs(app: AppContext): Promise<void> {
  await workOnGenerations(app);
  await workOnWatchdog(app);
  await workOnCleanUp(app);
}
