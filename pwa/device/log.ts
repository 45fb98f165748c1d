const SLOW_REQUEST_MS = 5000;

/** On a developer's machine everything is logged, in production only failures and slow calls. */
const isVerbose = ['localhost', '127.0.0.1', '[::1]'].includes(globalThis.location?.hostname ?? '');

export interface LoggedRequest {
  method: string;
  /** The endpoint's path with its placeholders, because ids and bodies are never logged. */
  path: string;
  status: number;
  durationMs: number;
}

export function logRequest({ method, path, status, durationMs }: LoggedRequest): void {
  const line = `${method} ${path} ${status} ${Math.round(durationMs)} ms`;
  if (status >= 400 || durationMs > SLOW_REQUEST_MS) console.warn(line);
  else if (isVerbose) console.debug(line);
}

/** Logs what matters in production too: a generation has completed or failed. */
export function logOutcome(message: string): void {
  console.info(message);
}

export function logUserAction(action: 'generate_video' | 'purchase_stars' | 'login' | 'logout'): void {
  if (isVerbose) console.debug(`action: ${action}`);
}
