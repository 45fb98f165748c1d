import { isOwnPath } from '#shared/contract/push-message.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** The parts of an open window that matter here. */
export interface OpenWindow {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
}

/** One that shows the very address, else the one the person looks at, else any. */
export function chooseWindow<W extends OpenWindow>(windows: readonly W[], address: string): W | null {
  return (
    windows.find(({ url }) => url === address) ??
    windows.find(({ focused }) => focused) ??
    windows.find(({ visibilityState }) => visibilityState === 'visible') ??
    windows[0] ??
    null
  );
}

/** The path that the notification was given, else the home of the app. */
export function readPath(data: unknown): string {
  const path = typeof data === 'object' && data !== null && 'path' in data ? data.path : null;
  return typeof path === 'string' && isOwnPath(path) ? path : PATHS.app;
}
