import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** A connection takes a fraction of a second; Telegram's addresses are sometimes swallowed without a word. */
const CONNECT_TIMEOUT_MS = 10_000;
/** What the bot knows such a failure by (bot/telegram-errors.ts). */
const NOT_CONNECTED = 'NOT_CONNECTED';

/**
 * Keeps connections, and marks what went wrong before one stood, the handshake of TLS included: then no request has left
 * us. By its code, because that and the words are all that the HTTP client hands on.
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
