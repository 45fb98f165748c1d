import { callApi } from '#pwa/client/api-client.ts';
import { limitSignal } from '#pwa/client/limit-signal.ts';
import { noteUnanswered } from '#pwa/device/connection.ts';
import { getUser, type User } from '#shared/contract/account.ts';

/** A page may stay empty for at most this long. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Fetches the signed-in user. Rejects when the answer is late, as it does without a network. */
export async function fetchUser(signal?: AbortSignal): Promise<User> {
  const limit = signal ? limitSignal(signal, ANSWER_TIMEOUT_MS) : AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await callApi(getUser, undefined, { signal: limit });
  } catch (error) {
    if (limit.aborted && !signal?.aborted) noteUnanswered();
    throw error;
  }
}
