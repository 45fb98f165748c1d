import { useEffect, useRef, useState } from 'react';

/** Whole seconds since a moment, counted on every second. */
export function useElapsedSeconds(sinceMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - sinceMs) / 1000));
}

/** The text, but changing no more often than the interval: a screen reader must not be talked over. */
export function useCalmText(text: string, intervalMs: number): string {
  const [calm, setCalm] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    const timer = setInterval(() => setCalm(latest.current), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return calm;
}
