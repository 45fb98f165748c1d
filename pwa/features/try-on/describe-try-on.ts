import { describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import { nb } from '#pwa/lib/format.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** The text about the waiting time. Null before the server's first answer, because that could contradict it. */
export function describeWait(progress: Progress | null, elapsedSeconds: number): string | null {
  return progress && describeUsualWait(progress.expectedSeconds, elapsedSeconds, TOOLS.try_on.usualWait);
}

/** The server's text about a failure. Says exactly once that the star is back. */
export function describeFailure(message: string, isRefunded: boolean): string {
  const saysSo = /зв[её]зд/i.test(message);
  return nb(isRefunded && !saysSo ? `${message.replace(/\.?$/, '.')} Звезда возвращена.` : message);
}
