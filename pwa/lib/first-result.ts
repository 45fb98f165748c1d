/** In localStorage: a small flag of this device that no account needs. */
const KEY = 'podium.hasResult';
const listeners = new Set<() => void>();

/** A generation has just succeeded: from now on the app may offer its installation. */
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
