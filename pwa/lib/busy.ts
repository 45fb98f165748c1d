let count = 0;
const waiting = new Set<() => void>();

/** Pages where a payment is on its way. */
const PAYMENT_PAGES = '/payment/';

/** Marks work that a reload would destroy, such as an upload; ends with the function it gives. */
export function beginWork(): () => void {
  count += 1;
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    count -= 1;
    if (count > 0) return;
    for (const action of waiting) action();
    waiting.clear();
  };
}

/** Whether this page is in the middle of something that must not be interrupted. */
export function isBusy(): boolean {
  return count > 0 || location.pathname.startsWith(PAYMENT_PAGES);
}

/** Runs once what is in the middle now has ended. */
export function whenIdle(action: () => void): void {
  if (count === 0) action();
  else waiting.add(action);
}
