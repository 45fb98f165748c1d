import { createStore, useStore } from '#pwa/device/store.ts';

/** A flag of this device, not of an account. localStorage is enough for it. */
const KEY = 'podium.hasResult';
/** Whether a generation has succeeded since this page was opened. */
const hasNewResult = createStore(false);

/** Call this when a generation has succeeded: from now on the app may offer to be installed. */
export function noteResult(): void {
  localStorage.setItem(KEY, '1');
  hasNewResult.set(true);
}

/** Whether a generation has ever succeeded on this device. */
export function useHasResult(): boolean {
  return useStore(hasNewResult) || localStorage.getItem(KEY) === '1';
}
