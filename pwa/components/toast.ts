import type { ReactNode } from 'react';

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

let current: ShownToast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a toast for 5 seconds and replaces the current one. May be called from anywhere. Returns its id. */
export function toast(options: ToastOptions): number {
  lastId += 1;
  show({ ...options, id: lastId });
  return lastId;
}

/** Closes the toast that is shown, or only the one with this id. */
export function dismissToast(id = current?.id): void {
  if (current?.id === id) show(null);
}

export function readToast(): ShownToast | null {
  return current;
}

export function subscribeToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}
