import { useEffect } from 'react';
import { isBusy } from '#pwa/device/busy.ts';
import { createStore, useStore } from '#pwa/device/store.ts';

/** Panels that appear without a press, the most important first. Only one is shown at a time. */
const KINDS = ['update', 'install', 'push', 'interview'] as const;
export type Interruption = (typeof KINDS)[number];

/** While one of these is on the page, no panel appears: dialogs, menus, a toast, the cookie question. */
const OCCUPIED = '[role=dialog],[role=alertdialog],[role=menu],.toast,.cookie';
const TYPED_INTO = 'input:not([type=checkbox],[type=radio],[type=file]),textarea,select';
const WAIT_MS = 1000;

const waiting = new Set<Interruption>();
const shown = createStore<Interruption | null>(null);
let timer: ReturnType<typeof setInterval> | null = null;

/**
 * Whether this panel may be shown now. While `isWanted` is true it waits for its turn; the turn ends when `isWanted`
 * becomes false.
 */
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
  return useStore(shown) === kind;
}

/** Whether a panel would disturb: the page is hidden or busy, something is open, or the person is typing. */
export function isOccupied(): boolean {
  if (document.visibilityState === 'hidden' || isBusy()) return true;
  return document.querySelector(OCCUPIED) !== null || document.activeElement?.matches(TYPED_INTO) === true;
}

/** Chooses the panel to show. The current one stays; otherwise it is the most important one that waits. */
export function chooseTurn(
  current: Interruption | null,
  wanting: ReadonlySet<Interruption>,
  isFree: boolean,
): Interruption | null {
  if (current && wanting.has(current)) return current;
  return isFree ? (KINDS.find((kind) => wanting.has(kind)) ?? null) : null;
}

function settleTurns(): void {
  const next = chooseTurn(shown.get(), waiting, !isOccupied());
  const isWaiting = next === null && waiting.size > 0;
  if (isWaiting) timer ??= setInterval(settleTurns, WAIT_MS);
  else if (timer) {
    clearInterval(timer);
    timer = null;
  }
  shown.set(next);
}
