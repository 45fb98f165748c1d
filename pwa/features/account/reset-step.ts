import * as z from 'zod/mini';

const KEY = 'podium.passwordReset';
/** The mailed code works this long. */
const KEPT_MS = 10 * 60_000;

const resetStep = z.object({ email: z.string(), until: z.number() });

/** Remembers that a reset code was mailed, so that a reload of the tab continues with the second step. */
export function rememberResetStep(email: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + KEPT_MS }));
}

/** The address of a code that is still valid; null when there is none. */
export function readResetStep(): string | null {
  try {
    const { email, until } = resetStep.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (Date.now() < until) return email;
  } catch {
    // Nothing valid is stored.
  }
  forgetResetStep();
  return null;
}

export function forgetResetStep(): void {
  sessionStorage.removeItem(KEY);
}
