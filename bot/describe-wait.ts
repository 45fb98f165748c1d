import { describeLate, judgeWait } from '#shared/rules/waiting-time.ts';

/** «, обычно около 20 с», or the longest time that is left; empty when neither is known. */
export function describeWait(expectedSeconds: number | null, elapsedSeconds: number): string {
  if (expectedSeconds === null) return '';
  const wait = judgeWait(expectedSeconds, elapsedSeconds);
  return wait.kind === 'usual'
    ? `, обычно около ${formatSeconds(wait.seconds)}`
    : `. ${describeLate(wait.minutesLeft)}`;
}

/** «1 мин 5 с» */
export function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} мин ${Math.round(seconds % 60)} с` : `${Math.round(seconds)} с`;
}
