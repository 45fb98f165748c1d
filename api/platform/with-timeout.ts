/** Aborts after `timeoutMs`, and with `signal`. */
export function abortAfter(timeoutMs: number, signal?: AbortSignal | null): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

export class TooSlowError extends Error {
  override name = 'TooSlowError';
}

/** The result of `work`. Rejects with TooSlowError after `timeoutMs`. The work itself goes on. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlowError(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
