let count = 0;

/** Pages of a payment in progress. */
const PAYMENT_PAGES = '/payment/';
const LOOK_INTERVAL_MS = 1000;

/** Marks work that a reload would destroy, such as an upload; returns the function that ends it. */
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

/** Runs the action at once, or soon after the present work has ended. */
export function whenIdle(action: () => void): void {
  if (!isBusy()) {
    action();
    return;
  }
  // No event tells that the router has left a page.
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    action();
  }, LOOK_INTERVAL_MS);
}
