import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** Connecting takes a fraction of a second. Some networks drop packets to Telegram silently. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The code by which the bot recognises such a failure (bot/telegram-errors.ts). */
const NOT_CONNECTED = 'NOT_CONNECTED';

/**
 * Keeps connections open, and marks failures that happen before one is established, the TLS handshake included: no
 * request has been sent then. The mark is the error's code, because the HTTP client passes on only code and message.
 */
export function createConnectingAgent(apiRoot: string): http.Agent {
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
  // This listener runs first; the client reads the code afterwards.
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
