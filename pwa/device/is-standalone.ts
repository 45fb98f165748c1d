/** Whether the page runs as an installed app, in a window of its own. */
export function isStandalone(): boolean {
  // Older Safari on iOS has only this property of its own.
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone)').matches;
}
