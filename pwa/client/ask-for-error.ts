import { ApiError, readErrorAnswer, UNKNOWN_ERROR } from './api-error.ts';

/** Time limit of the small request for the cause of a failure. Without an answer the server counts as unreachable. */
const ASK_TIMEOUT_MS = 5_000;

/**
 * Why the server does not give the file at this address; null when it does. Browsers do not say why a picture or a
 * video was not loaded.
 */
export async function askForError(url: string): Promise<ApiError | null> {
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  try {
    // An answer to HEAD would have no words. One byte shows that the file is there.
    const headers = { range: 'bytes=0-0' };
    const answer = await fetch(url, { credentials: 'same-origin', cache: 'no-store', headers, signal });
    if (!answer.ok) return readErrorAnswer(answer.status, answer.statusText, await answer.text());
    void answer.body?.cancel();
    return null;
  } catch {
    return new ApiError(0, UNKNOWN_ERROR);
  }
}
