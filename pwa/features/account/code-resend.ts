import { useEffect, useState } from 'react';
import { ApiError } from '#pwa/lib/api-error.ts';

const PREFIX = 'podium.codeWait:';
const RESEND_AFTER_SECONDS = 60;

/** The purpose and address of a code: each pair has its own wait, as on the server. */
export interface MailedCode {
  purpose: 'verify_email' | 'reset_password' | 'change_email';
  email: string;
}

/**
 * Starts the wait before another code may be asked for; survives a reload of the tab. Keys hold addresses. Those of waits
 * that are over are removed when they are read and when another wait starts, all of them at a sign-out.
 */
export function noteCodeSent(code: MailedCode, waitSeconds = RESEND_AFTER_SECONDS): void {
  removeWaits((key) => readWait(key) === 0);
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
  const key = keyOf(code);
  const seconds = readWait(key);
  if (seconds === 0) sessionStorage.removeItem(key);
  return seconds;
}

/** At a sign-out: whatever addresses codes were mailed to, this tab does not keep them. */
export function forgetCodeWaits(): void {
  removeWaits(() => true);
}

function removeWaits(isRemoved: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && isRemoved(key)) sessionStorage.removeItem(key);
  }
}

function readWait(key: string): number {
  return Math.max(0, Math.ceil((Number(sessionStorage.getItem(key) ?? 0) - Date.now()) / 1000));
}

function keyOf({ purpose, email }: MailedCode): string {
  return `${PREFIX}${purpose}:${email.trim().toLowerCase()}`;
}
