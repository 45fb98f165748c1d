import type { ReactNode } from 'react';
import { createStore } from '#pwa/device/store.ts';

export interface ToastOptions {
  title: string;
  description?: ReactNode;
  /** `danger` looks like an error, and screen readers announce it at once. */
  tone?: 'plain' | 'success' | 'danger';
  /** One button. The toast closes when it is pressed. */
  action?: { label: string; onSelect: () => void };
}

export interface ShownToast extends ToastOptions {
  id: number;
}

/** The toast on the page; null when there is none. */
export const shownToast = createStore<ShownToast | null>(null);
let lastId = 0;

/** Shows a toast for 5 seconds and replaces the current one. May be called from anywhere. Returns its id. */
export function toast(options: ToastOptions): number {
  lastId += 1;
  shownToast.set({ ...options, id: lastId });
  return lastId;
}

/** Closes the toast that is shown, or only the one with this id. */
export function dismissToast(id = shownToast.get()?.id): void {
  if (shownToast.get()?.id === id) shownToast.set(null);
}
