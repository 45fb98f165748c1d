import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * Takes a parameter out of the page's address once `isReady` and passes its value on, so that a reload shows the current
 * state. Returns whether the address still has it.
 */
export function useTakenParameter(name: string, isReady: boolean, pass: (value: string) => void): boolean {
  const [parameters, setParameters] = useSearchParams();
  const value = parameters.get(name);
  const take = useEffectEvent((taken: string) => {
    setParameters(
      (current) => {
        current.delete(name);
        return current;
      },
      { replace: true },
    );
    pass(taken);
  });
  useEffect(() => {
    if (value !== null && isReady) take(value);
  }, [value, isReady]);
  return value !== null;
}

/** Whether a dialog is open that a parameter of the address opens, too, and its setter. */
export function useDialogInAddress(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const isAddressed = useTakenParameter(name, true, () => setOpen(true));
  // It opens only after the address has changed, because an open dialog has its own history entry for «Back».
  return [isOpen && !isAddressed, setOpen];
}
