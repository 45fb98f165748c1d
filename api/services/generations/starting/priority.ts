/**
 * How much later a person who has paid may come and still go first. Far below the watchdog's 30 minutes, so that nobody
 * starves.
 */
export const PAID_HEAD_START_SECONDS = 10 * 60;
/** Priorities are 32-bit numbers. Seconds since this moment fit for 68 years. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Priority of a job in the queue. The highest runs first. It is the negated time of the start, plus ten minutes for
 * people who have paid. So they go first, but nobody who waits is overtaken for ever.
 */
export function chooseGenerationPriority(isPaid: boolean, now = Date.now()): number {
  return (isPaid ? PAID_HEAD_START_SECONDS : 0) - Math.floor((now - EPOCH_MS) / 1000);
}
