/** The state of a history entry whose page stays scrolled as it is when it is opened. */
export const KEEP_SCROLL = { keepsScroll: true };

export function keepsScroll({ state }: { state: unknown }): boolean {
  return state instanceof Object && 'keepsScroll' in state;
}
