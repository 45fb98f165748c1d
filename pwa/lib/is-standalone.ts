/** Whether the page runs as an installed app, in a window of its own. */
export function isStandalone(): boolean {
  // Safari on iOS told it by a name of its own before it knew the standard one.
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone)').matches;
}
