import { useEffect, useState } from 'react';
import { ApiError } from '#pwa/client/api-error.ts';

const PREFIX = 'podium.codeWait:';
const UNSENT_PREFIX = 'podium.codeUnsent:';
const RESEND_AFTER_SECONDS = 60;

/** The purpose and address of a mailed code. Each pair has its own wait, as on the server. */
export interface MailedCode {
  purpose: 'verify_email' | 'reset_password' | 'change_email';
  email: string;
}

/**
 * Starts the wait until another code may be requested. It survives a reload of the tab. The storage keys contain
 * addresses, so expired ones are removed when they are read or when another wait starts, and all of them at a sign-out.
 */
export function noteCodeSent(code: MailedCode, waitSeconds = RESEND_AFTER_SECONDS): void {
  removeNotes(PREFIX, (key) => readWait(key) === 0);
  sessionStorage.setItem(keyOf(code), String(Date.now() + waitSeconds * 1000));
  if (waitSeconds > 0) sessionStorage.removeItem(keyOf(code, UNSENT_PREFIX));
}

/** Notes that the mail with the first code failed. It survives a reload of the tab, until a code is sent. */
export function noteCodeUnsent(code: MailedCode): void {
  sessionStorage.setItem(keyOf(code, UNSENT_PREFIX), '1');
}

export function isCodeUnsent(code: MailedCode): boolean {
  return sessionStorage.getItem(keyOf(code, UNSENT_PREFIX)) !== null;
}

/** Starts the wait that the server names when it refuses a code (429). */
export function noteCodeRefused(code: MailedCode, error: unknown): void {
  if (error instanceof ApiError && error.status === 429 && error.details.retryAfter !== undefined) {
    noteCodeSent(code, error.details.retryAfter);
  }
}

/** Whole seconds until another code may be requested; 0 when it may be requested now. Updates while mounted. */
export function useResendWait({ purpose, email }: MailedCode): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return readResendWait({ purpose, email });
}

/** Whole seconds until another code may be requested, read once; 0 when it may be requested now. */
export function readResendWait(code: MailedCode): number {
  const key = keyOf(code);
  const seconds = readWait(key);
  if (seconds === 0) sessionStorage.removeItem(key);
  return seconds;
}

/** For a sign-out: removes all notes, because their keys contain addresses. */
export function forgetCodes(): void {
  removeNotes(PREFIX);
  removeNotes(UNSENT_PREFIX);
}

function removeNotes(prefix: string, isRemoved: (key: string) => boolean = () => true): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && isRemoved(key)) sessionStorage.removeItem(key);
  }
}

function readWait(key: string): number {
  return Math.max(0, Math.ceil((Number(sessionStorage.getItem(key) ?? 0) - Date.now()) / 1000));
}

function keyOf({ purpose, email }: MailedCode, prefix = PREFIX): string {
  return `${prefix}${purpose}:${email.trim().toLowerCase()}`;
}
