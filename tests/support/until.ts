import { vi } from 'vitest';

/** Waits until the check passes, long enough for a busy machine. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000 });
}
