import { useEffect, useState } from 'react';
import { ApiError } from '#pwa/lib/api-error.ts';

const KEY = 'podium.codeWait';
const RESEND_AFTER_SECONDS = 60;

/** What a code is mailed for, and where to: each has a wait of its own, as at the server. */
export interface MailedCode {
  purpose: 'verify_email' | 'reset_password' | 'change_email';
  email: string;
}

/** Starts the wait before another code may be asked for; survives a reload of the tab. */
export function noteCodeSent(code: MailedCode, waitSeconds = RESEND_AFTER_SECONDS): void {
  sessionStorage.setItem(keyOf(code), String(Date.now() + waitSeconds * 1000));
}

/** The server refuses a code for now and says for how long. */
export function noteCodeRefused(code: MailedCode, error: unknown): void {
  if (error instanceof ApiError && error.status === 429 && error.details.retryAfter !== undefined) {
    noteCodeSent(code, error.details.retryAfter);
  }
}

/** Whole seconds until another code may be asked for; 0 when it may be asked for now. */
export function useResendWait({ purpose, email }: MailedCode): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return readResendWait({ purpose, email });
}

/** The same, once. */
export function readResendWait(code: MailedCode): number {
  const kept = sessionStorage.getItem(keyOf(code));
  const seconds = Math.max(0, Math.ceil((Number(kept ?? 0) - Date.now()) / 1000));
  if (seconds > 0) return seconds;
  // No address stays on the device longer than it is needed.
  if (kept !== null) sessionStorage.removeItem(keyOf(code));
  return 0;
}

function keyOf({ purpose, email }: MailedCode): string {
  return `${KEY}:${purpose}:${email.trim().toLowerCase()}`;
}
