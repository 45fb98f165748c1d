/**
 * Keeps one Idempotency-Key for one intention of the person: a repeat after a lost answer must not start anything
 * twice.
 */
export interface StartIntent {
  /** The key for this request. It stays the same until the intention is settled or the request changes. */
  keyFor: (request: object) => string;
  /** Call this once the outcome is certain: the next start is a new intention. */
  settle: () => void;
}

export function createStartIntent(): StartIntent {
  let intent: { key: string; request: string } | null = null;
  return {
    keyFor(request) {
      const text = JSON.stringify(request);
      if (intent?.request !== text) intent = { key: crypto.randomUUID(), request: text };
      return intent.key;
    },
    settle() {
      intent = null;
    },
  };
}

/**
 * Whether the server may have acted on a failed call: there was no answer (0), or a server error that hides the
 * outcome.
 */
export function isUncertain(status: number): boolean {
  return status === 0 || status >= 500;
}
