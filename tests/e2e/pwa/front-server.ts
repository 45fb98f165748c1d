import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another address of the program, at which a test may change what comes back, as a new release would. */
export interface FrontServer {
  url: string;
  /** Appended to the worker's code: another release for the browser. */
  release: (code: string) => void;
  /** Answered with 404 from now on. */
  remove: (path: RegExp) => void;
  /** Paths asked for, in order, as `GET /app`. */
  requests: string[];
  stop: () => Promise<void>;
}

export async function startFrontServer(target: string): Promise<FrontServer> {
  let extraCode = '';
  const removed: RegExp[] = [];
  const requests: string[] = [];
  const server: Server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/';
    requests.push(`${incoming.method} ${path}`);
    if (removed.some((pattern) => pattern.test(path))) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
      return;
    }
    forward(target, incoming, answer, path === '/sw.js' ? () => extraCode : null);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    release: (code) => {
      extraCode = code;
    },
    remove: (path) => removed.push(path),
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  getExtra: (() => string) | null,
): void {
  // Only plain text can be added to.
  const headers = getExtra ? { ...incoming.headers, 'accept-encoding': 'identity' } : incoming.headers;
  const outgoing = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (reply) => {
    const { 'content-length': length, etag, 'last-modified': modified, ...rest } = reply.headers;
    if (!getExtra) {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
      return;
    }
    void [length, etag, modified];
    answer.writeHead(reply.statusCode ?? 502, rest);
    reply.on('end', () => answer.end(`\n${getExtra()}`));
    reply.pipe(answer, { end: false });
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}
