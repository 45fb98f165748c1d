let count = 0;

/** The pages that follow a payment. */
const PAYMENT_PAGES = '/payment/';
const LOOK_INTERVAL_MS = 1000;

/** Marks work that a reload would destroy, such as an upload. Returns the function that ends it. */
export function beginWork(): () => void {
  count += 1;
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    count -= 1;
  };
}

/** Whether this page is doing something that a reload would destroy. */
export function isBusy(): boolean {
  return count > 0 || location.pathname.startsWith(PAYMENT_PAGES);
}

/** Runs the action now, or soon after the work in progress has ended. */
export function whenIdle(action: () => void): void {
  if (!isBusy()) {
    action();
    return;
  }
  // No event reports that the router has left a payment page, so this polls.
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    action();
  }, LOOK_INTERVAL_MS);
}
