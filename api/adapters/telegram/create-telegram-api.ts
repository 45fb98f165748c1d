import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { autoRetry } from '@grammyjs/auto-retry';
import { apiThrottler } from '@grammyjs/transformer-throttler';
import { Api } from 'grammy';

/** Telegram accepts about one message a second in a chat, and short bursts. */
const CHAT_BURST = 10;
/** For all chats together. */
const CALLS_PER_SECOND = 30;
/** A longer pause that Telegram asks for is left to the caller. */
const LONGEST_PAUSE_SECONDS = 30;
const CALL_TIMEOUT_MS = 20_000;
/** 50 MB over a slow connection. */
const UPLOAD_TIMEOUT_MS = 300_000;
const UPLOADS = new Set(['sendVideo', 'sendPhoto', 'sendDocument', 'sendMediaGroup', 'editMessageMedia']);

/**
 * Telegram's Bot API with throttling. It waits and repeats after status 429, except for messages: after a failure it
 * may be unknown whether one was sent (see bot/send-once.ts). Throws GrammyError for a refusal, HttpError when no
 * answer came.
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
    (call, method, payload, signal) => call(method, withoutEmptyRows(payload), signal),
    (call, method, payload, signal) => {
      // Polling has its own signal.
      if (method === 'getUpdates') return call(method, payload, signal);
      const timeout = AbortSignal.timeout(UPLOADS.has(method) ? UPLOAD_TIMEOUT_MS : CALL_TIMEOUT_MS);
      return call(method, payload, timeout as unknown as typeof signal);
    },
    // A chat action is not a message and does not count.
    (call, method, payload, signal) =>
      method === 'sendChatAction' ? call(method, payload, signal) : throttle(call, method, payload, signal),
    (call, method, payload, signal) =>
      isMessage(method) ? call(method, payload, signal) : retry(call, method, payload, signal),
  );
  return api;
}

/** Keyboards are put together row by row, and the last row may stay empty. Not every server takes that. */
function withoutEmptyRows<Payload extends object>(payload: Payload): Payload {
  const { reply_markup: markup } = payload as { reply_markup?: { inline_keyboard?: unknown[][] } };
  if (!markup?.inline_keyboard) return payload;
  const inline_keyboard = markup.inline_keyboard.filter((row) => row.length > 0);
  return { ...payload, reply_markup: { ...markup, inline_keyboard } };
}

function isMessage(method: string): boolean {
  return method.startsWith('send') && method !== 'sendChatAction';
}

/** A connection takes a fraction of a second. Some networks drop packets to Telegram silently. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The code by which the bot recognises such a failure (bot/telegram-errors.ts). */
const NOT_CONNECTED = 'NOT_CONNECTED';

/**
 * Keeps connections alive and marks errors that happen before a connection is ready, including the TLS handshake: the
 * request cannot have been sent then. The mark is in the error's code, because the HTTP client passes on only the code
 * and the message.
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
  // Registered first, because the client reads the code afterwards.
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
