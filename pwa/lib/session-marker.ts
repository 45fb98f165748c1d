import { z } from 'zod';

const KEY = 'podium.session';
const markerSchema = z.object({ userId: z.int(), name: z.string() });

/**
 * Tells that somebody signed in on this device; holds no secret. Without it the app does not ask who is
 * signed in, and offline the guards trust it.
 */
export type SessionMarker = z.infer<typeof markerSchema>;

const listeners = new Set<() => void>();
let cached: { raw: string | null; marker: SessionMarker | null } | null = null;

export function readSessionMarker(): SessionMarker | null {
  const raw = localStorage.getItem(KEY);
  // The same object for the same text: React compares snapshots by identity.
  if (cached?.raw !== raw) cached = { raw, marker: parseSessionMarker(raw) };
  return cached?.marker ?? null;
}

export function writeSessionMarker(marker: SessionMarker): void {
  localStorage.setItem(KEY, JSON.stringify(marker));
  notify();
}

export function removeSessionMarker(): void {
  localStorage.removeItem(KEY);
  notify();
}

/** Hears changes made by this tab and by others. */
export function subscribeSessionMarker(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

export function parseSessionMarker(raw: string | null): SessionMarker | null {
  if (raw === null) return null;
  try {
    return markerSchema.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}
