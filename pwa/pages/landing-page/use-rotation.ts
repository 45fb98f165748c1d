import { useEffect, useState } from 'react';

export interface Rotation {
  index: number;
  /** Chosen by hand. */
  show: (index: number) => void;
}

/** Goes on to the next of `count` things every `intervalMs` while it is running; a choice starts the time anew. */
export function useRotation(count: number, intervalMs: number, isRunning: boolean): Rotation {
  const [index, setIndex] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new picture has its full time.
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIndex((current) => (current + 1) % count), intervalMs);
    return () => clearTimeout(timer);
  }, [count, intervalMs, isRunning, index]);
  return { index, show: setIndex };
}
