/** A flag of this device, not of an account. localStorage is enough for it. */
const KEY = 'podium.hasResult';
const listeners = new Set<() => void>();

/** Call this when a generation has succeeded: from now on the app may offer to be installed. */
export function noteResult(): void {
  localStorage.setItem(KEY, '1');
  for (const listener of listeners) listener();
}

export function hasResult(): boolean {
  return localStorage.getItem(KEY) === '1';
}

export function subscribeResult(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
