/**
 * A signal that aborts with the given one, or after a time. Does what `AbortSignal.any` would, which iOS before 17.4
 * and Chrome before 116 do not have.
 */
export function limitSignal(given: AbortSignal, timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  for (const signal of [given, AbortSignal.timeout(timeoutMs)]) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal });
  }
  return controller.signal;
}
