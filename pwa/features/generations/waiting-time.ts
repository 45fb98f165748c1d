/** Past this share of the expected time the page says that it takes longer than usual. */
const LATE_FACTOR = 1.5;
const LATE_SLACK_SECONDS = 10;

export function isLate(expectedSeconds: number, elapsedSeconds: number): boolean {
  return elapsedSeconds > expectedSeconds * LATE_FACTOR + LATE_SLACK_SECONDS;
}

/** Up to whole fives of seconds, past a minute to half-minutes: an estimate is no more exact than that. */
export function roundUpSeconds(seconds: number): number {
  const step = seconds < 60 ? 5 : 30;
  return Math.max(step, Math.ceil(seconds / step) * step);
}
