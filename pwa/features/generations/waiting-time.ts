import { formatDuration, nb } from '#pwa/format.ts';
import type { Progress } from '#shared/contract/progress.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { TOOLS, type Tool } from '#shared/rules/tools.ts';
import { describeLate, judgeWait } from '#shared/rules/waiting-time.ts';

/**
 * The text about the waiting time: what the server expected at the start, else what is usual for the tool, or the
 * longest remaining time once that has passed. Null before the server's first answer, because that could contradict it.
 */
export function describeWait(kind: GenerationKind, progress: Progress | null, elapsedSeconds: number): string | null {
  if (!progress) return null;
  const { usualWait, usualLocalWait = usualWait }: Tool = TOOLS[kind];
  const usual = progress.isRemote ? usualWait : usualLocalWait;
  const wait = judgeWait(progress.expectedSeconds ?? usual.seconds, elapsedSeconds);
  if (wait.kind === 'late') return nb(describeLate(wait.minutesLeft));
  if (progress.expectedSeconds === null) return nb(usual.text);
  return nb(`Обычно около ${describeRoughTime(wait.seconds, ['секунды', 'секунд', 'секунд'])}`);
}

/** «20 секунд», and «1 мин 30 с» from one minute on. */
export function describeRoughTime(seconds: number, forms: Parameters<typeof pluralize>[1]): string {
  return seconds < 60 ? `${seconds}\u00a0${pluralize(seconds, forms)}` : formatDuration(seconds);
}
