/** Whether the page runs as an installed app, in a window of its own. */
export function isStandalone(): boolean {
  // Safari on iOS had its own name for this before the standard one.
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone)').matches;
}
