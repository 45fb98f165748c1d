import { autoRetry } from '@grammyjs/auto-retry';
import { apiThrottler } from '@grammyjs/transformer-throttler';
import { Api } from 'grammy';
import { createConnectingAgent } from './connecting-agent.ts';

/** A person's chat takes about one message a second; short bursts pass. */
const CHAT_BURST = 10;
/** Of all chats together. */
const CALLS_PER_SECOND = 30;
/** A pause that Telegram asks for is kept up to this; what is longer is the caller's to decide. */
const LONGEST_PAUSE_SECONDS = 30;
const CALL_TIMEOUT_MS = 20_000;
/** 50 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 300_000;
const UPLOADS = new Set(['sendVideo', 'sendPhoto', 'sendDocument', 'sendMediaGroup', 'editMessageMedia']);

/**
 * Telegram's Bot API, throttled and obeying its 429. Messages are not repeated by themselves: after a failure it may be
 * unknown whether they were sent (see bot/send-once.ts). Throws GrammyError for a refusal, HttpError when no answer came.
 */
export function createTelegramApi({ token, apiRoot }: { token: string; apiRoot: string }): Api {
  const api = new Api(token, {
    apiRoot,
    timeoutSeconds: UPLOAD_TIMEOUT_MS / 1000,
    baseFetchConfig: { agent: createConnectingAgent(apiRoot) },
  });
  const retry = autoRetry({
    maxRetryAttempts: 3,
    maxDelaySeconds: LONGEST_PAUSE_SECONDS,
    rethrowHttpErrors: true,
    rethrowInternalServerErrors: true,
  });
  const throttle = apiThrottler({
    global: {
      reservoir: CALLS_PER_SECOND,
      reservoirRefreshAmount: CALLS_PER_SECOND,
      reservoirRefreshInterval: 1000,
    },
    out: {
      reservoir: CHAT_BURST,
      reservoirIncreaseAmount: 1,
      reservoirIncreaseInterval: 1000,
      reservoirIncreaseMaximum: CHAT_BURST,
    },
  });
  api.config.use(
    (call, method, payload, signal) => {
      // Listening has a signal of its own.
      if (method === 'getUpdates') return call(method, payload, signal);
      const timeout = AbortSignal.timeout(UPLOADS.has(method) ? UPLOAD_TIMEOUT_MS : CALL_TIMEOUT_MS);
      return call(method, payload, timeout as unknown as typeof signal);
    },
    // That something is under way is no message.
    (call, method, payload, signal) =>
      method === 'sendChatAction' ? call(method, payload, signal) : throttle(call, method, payload, signal),
    (call, method, payload, signal) =>
      isMessage(method) ? call(method, payload, signal) : retry(call, method, payload, signal),
  );
  return api;
}

function isMessage(method: string): boolean {
  return method.startsWith('send') && method !== 'sendChatAction';
}
