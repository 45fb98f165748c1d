import { useEffect, useSyncExternalStore } from 'react';
import { isBusy } from './busy.ts';

/** Panels that may appear by themselves, the most important first. One at a time. */
const KINDS = ['update', 'install', 'push', 'interview'] as const;
export type Interruption = (typeof KINDS)[number];

/** Elements that must not be interrupted: dialogs, menus, a toast, the cookie question. */
const OCCUPIED = '[role=dialog],[role=alertdialog],[role=menu],.toast,.cookie';
const TYPED_INTO = 'input:not([type=checkbox],[type=radio],[type=file]),textarea,select';
const WAIT_MS = 1000;

const waiting = new Set<Interruption>();
const listeners = new Set<() => void>();
let shown: Interruption | null = null;
let timer: ReturnType<typeof setInterval> | null = null;

/** Whether this panel may appear now. With `isWanted` it waits in line; its turn lasts until `isWanted` is false. */
export function useInterruption(kind: Interruption, isWanted: boolean): boolean {
  useEffect(() => {
    if (!isWanted) return;
    waiting.add(kind);
    settleTurns();
    return () => {
      waiting.delete(kind);
      settleTurns();
    };
  }, [kind, isWanted]);
  return useSyncExternalStore(subscribe, () => shown === kind);
}

/** Whether the person is busy with something. */
export function isOccupied(): boolean {
  if (document.visibilityState === 'hidden' || isBusy()) return true;
  return document.querySelector(OCCUPIED) !== null || document.activeElement?.matches(TYPED_INTO) === true;
}

/** Chooses the panel: the shown one stays; otherwise the most important of those that wait. */
export function chooseTurn(
  current: Interruption | null,
  wanting: ReadonlySet<Interruption>,
  isFree: boolean,
): Interruption | null {
  if (current && wanting.has(current)) return current;
  return isFree ? (KINDS.find((kind) => wanting.has(kind)) ?? null) : null;
}

function settleTurns(): void {
  const next = chooseTurn(shown, waiting, !isOccupied());
  const isWaiting = next === null && waiting.size > 0;
  if (isWaiting) timer ??= setInterval(settleTurns, WAIT_MS);
  else if (timer) {
    clearInterval(timer);
    timer = null;
  }
  if (next === shown) return;
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
