import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { autoRetry } from '@grammyjs/auto-retry';
import { apiThrottler } from '@grammyjs/transformer-throttler';
import { Api } from 'grammy';

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

/** A connection takes a fraction of a second; Telegram's addresses are sometimes swallowed without a word. */
const CONNECT_TIMEOUT_MS = 10_000;
/** What the bot knows such a failure by (bot/telegram-errors.ts). */
const NOT_CONNECTED = 'NOT_CONNECTED';

/**
 * Keeps connections, and marks what went wrong before one stood, the handshake of TLS included: then no request has left
 * us. By its code, because that and the words are all that the HTTP client hands on.
 */
function createConnectingAgent(apiRoot: string): http.Agent {
  const isSecure = apiRoot.startsWith('https:');
  const agent = isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    if (socket) watchConnecting(socket as Socket, isSecure ? 'secureConnect' : 'connect');
    return socket;
  };
  return agent;
}

function watchConnecting(socket: Socket, connected: 'secureConnect' | 'connect'): void {
  const giveUp = () => socket.destroy(Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
  // The first to hear of it: the client reads the code afterwards.
  const mark = (error: NodeJS.ErrnoException) => {
    error.code = `${NOT_CONNECTED}:${error.code ?? ''}`;
  };
  socket.once('error', mark);
  socket.once('close', () => clearTimeout(timer));
  socket.once(connected, () => {
    clearTimeout(timer);
    socket.off('error', mark);
  });
}
