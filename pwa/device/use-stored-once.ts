import { useEffect, useEffectEvent } from 'react';
import { readStored, type StoredShape } from './storage.ts';

/**
 * Reads a value that an earlier visit has stored and passes it on, unless the component has gone by then. Null when
 * there is none or the device cannot read it. `shape` must be the same on every render.
 */
export function useStoredOnce<Value>(
  userId: number,
  name: string,
  shape: StoredShape<Value>,
  takeOver: (saved: Value | null) => void,
): void {
  const pass = useEffectEvent(takeOver);
  useEffect(() => {
    let isCurrent = true;
    const read = readStored(userId, name, shape).catch((error: unknown) => {
      console.warn('the device gives nothing back:', error);
      return null;
    });
    void read.then((saved) => {
      if (isCurrent) pass(saved);
    });
    return () => {
      isCurrent = false;
    };
  }, [userId, name, shape]);
}
