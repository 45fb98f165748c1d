import { useEffect, useState } from 'react';

const KEY = 'podium.codeSentAt';
const RESEND_AFTER_SECONDS = 60;

/** Starts the wait before another code may be asked for; survives a reload of the tab. */
export function noteCodeSent(waitSeconds = RESEND_AFTER_SECONDS): void {
  sessionStorage.setItem(KEY, String(Date.now() + waitSeconds * 1000));
}

/** Whole seconds until another code may be asked for; 0 when it may be asked for now. */
export function useResendWait(): number {
  const [seconds, setSeconds] = useState(readResendWait);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(readResendWait()), 500);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** The same, once. */
export function readResendWait(): number {
  const until = Number(sessionStorage.getItem(KEY) ?? 0);
  return Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
