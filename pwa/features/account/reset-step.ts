import { z } from 'zod';

const KEY = 'podium.passwordReset';
/** As long as the mailed code works. */
const KEPT_MS = 10 * 60_000;

const resetStep = z.object({ email: z.string(), until: z.number() });

/** A reset code was mailed: a reload of the tab goes on with the second step. */
export function rememberResetStep(email: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + KEPT_MS }));
}

/** The address that a code was mailed to and may still be typed for, or null. */
export function readResetStep(): string | null {
  try {
    const { email, until } = resetStep.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (Date.now() < until) return email;
  } catch {
    // Nothing is stored, or nothing that we wrote.
  }
  forgetResetStep();
  return null;
}

export function forgetResetStep(): void {
  sessionStorage.removeItem(KEY);
}
