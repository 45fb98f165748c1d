let count = 0;

/** Pages where a payment is on its way. */
const PAYMENT_PAGES = '/payment/';
const LOOK_INTERVAL_MS = 1000;

/** Marks work that a reload would destroy, such as an upload; ends with the function it gives. */
export function beginWork(): () => void {
  count += 1;
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    count -= 1;
  };
}

/** Whether this page is in the middle of something that must not be interrupted. */
export function isBusy(): boolean {
  return count > 0 || location.pathname.startsWith(PAYMENT_PAGES);
}

/** Runs at once, or soon after what is in the middle now has ended. */
export function whenIdle(action: () => void): void {
  if (!isBusy()) {
    action();
    return;
  }
  // Nothing tells of a page that is left by the router.
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    action();
  }, LOOK_INTERVAL_MS);
}
