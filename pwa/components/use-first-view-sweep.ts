import { type RefObject, useCallback, useEffect, useRef } from 'react';

const SWEEP_MS = 900;
const MIDDLE = 50;
const REACH = 12;

export interface FirstViewSweep<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  /** Ends the animation, because the person has moved the border. */
  stop: () => void;
}

/** Moves a border from 50 to 62 % and back once, when it is first visible, unless reduced motion is preferred. */
export function useFirstViewSweep<Element extends HTMLElement>(
  onMove: (share: number) => void,
): FirstViewSweep<Element> {
  const ref = useRef<Element>(null);
  const isStopped = useRef(false);
  const move = useRef(onMove);
  move.current = onMove;

  useEffect(() => {
    if (!ref.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = 0;
    const step = (startedAt: number, now: number) => {
      if (isStopped.current) return;
      move.current(sweepAt(now - startedAt));
      if (now - startedAt < SWEEP_MS) frame = requestAnimationFrame((next) => step(startedAt, next));
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        frame = requestAnimationFrame((now) => step(now, now));
      },
      { threshold: 0.5 },
    );
    observer.observe(ref.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);

  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  return { ref, stop };
}

/** The border's position in percent after so many milliseconds: half a sine wave. */
export function sweepAt(elapsedMs: number): number {
  const share = Math.min(1, Math.max(0, elapsedMs / SWEEP_MS));
  return Math.round(MIDDLE + REACH * Math.sin(Math.PI * share));
}
