import { useState } from 'react';

const QUIET_MS = 30 * 24 * 3_600_000;

/** Whether the person has put this offer off within the last thirty days, and what puts it off. The device stores it. */
export function usePutOff(key: string): [isPutOff: boolean, putOff: () => void] {
  const [isPutOff, setIsPutOff] = useState(() => Date.now() - Number(localStorage.getItem(key) ?? 0) < QUIET_MS);
  const putOff = () => {
    localStorage.setItem(key, String(Date.now()));
    setIsPutOff(true);
  };
  return [isPutOff, putOff];
}
