import { describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** The text about the waiting time. Null before the server's first answer, because that could contradict it. */
export function describeWait(progress: Progress | null, elapsedSeconds: number): string | null {
  return progress && describeUsualWait(progress.expectedSeconds, elapsedSeconds, TOOLS.try_on.usualWait);
}
