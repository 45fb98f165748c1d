import { useSyncExternalStore } from 'react';

/** A value that any code of this tab may read and change, and that components follow with `useStore`. */
export interface Store<Value> {
  /** What prerendered pages show. */
  initial: Value;
  get: () => Value;
  set: (next: Value) => void;
  /** Calls the listener after every change. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Draws the component again whenever the value changes. */
export function useStore<Value>({ subscribe, get, initial }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get, () => initial);
}
