import { PATHS } from '#shared/rules/app-paths.ts';
import { isOwnPath } from '#shared/rules/own-path.ts';

/** The properties of a WindowClient that decide. Tests pass plain objects. */
export interface OpenWindow {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
}

/**
 * Chooses the window to show `address` in: one that already shows it, else the focused one, else a visible one, else
 * any.
 */
export function chooseWindow<W extends OpenWindow>(windows: readonly W[], address: string): W | null {
  return (
    windows.find(({ url }) => url === address) ??
    windows.find(({ focused }) => focused) ??
    windows.find(({ visibilityState }) => visibilityState === 'visible') ??
    windows[0] ??
    null
  );
}

/** The path in a notification's data; the app's home when it is missing or foreign. */
export function readPath(data: unknown): string {
  const path = typeof data === 'object' && data !== null && 'path' in data ? data.path : null;
  return typeof path === 'string' && isOwnPath(path) ? path : PATHS.app;
}
