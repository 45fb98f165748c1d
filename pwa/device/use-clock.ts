import { useEffect, useRef, useState } from 'react';

/** Whole seconds since a moment (milliseconds since 1970), updated every second. */
export function useElapsedSeconds(sinceMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - sinceMs) / 1000));
}

/** The text, but updated at most once per interval, so that a screen reader can finish reading it. */
export function useThrottledText(text: string, intervalMs: number): string {
  const [calm, setCalm] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    const timer = setInterval(() => setCalm(latest.current), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return calm;
}
