/** How much later a paid person may come and still go first. Far below the watchdog's 30 minutes, so that nobody starves. */
export const PAID_HEAD_START_SECONDS = 10 * 60;
/** Priorities are 32-bit numbers; seconds since this moment fit in for 68 years. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Priority of a job in the queue, where the highest runs first: its place in a line that everybody joins at the end, and
 * people who have paid ten minutes further ahead. So they go first, and still nobody who waits is overtaken for ever.
 */
export function chooseGenerationPriority(isPaid: boolean, now = Date.now()): number {
  return (isPaid ? PAID_HEAD_START_SECONDS : 0) - Math.floor((now - EPOCH_MS) / 1000);
}
