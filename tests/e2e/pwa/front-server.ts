import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy before the program. A test can change its answers as a new release would. */
export interface FrontServer {
  url: string;
  /** Appends this to the worker's code, so that the browser sees a new release. */
  release: (code: string) => void;
  /** Answers 404 for these paths from now on. */
  remove: (path: RegExp) => void;
  /** Sends all answers over one slow line from now on. */
  slowDown: (line: Line) => void;
  /** The requests in order, as `GET /app`. */
  requests: string[];
  stop: () => Promise<void>;
}

interface Line {
  bytesPerSecond: number;
  /** Delay before each answer. */
  latencyMs: number;
}

export async function startFrontServer(target: string): Promise<FrontServer> {
  let extraCode = '';
  const removed: RegExp[] = [];
  const requests: string[] = [];
  let passOn: ((body: IncomingMessage) => Promise<NodeJS.ReadableStream>) | null = null;
  const server: Server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/';
    requests.push(`${incoming.method} ${path}`);
    if (removed.some((pattern) => pattern.test(path))) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
      return;
    }
    forward(target, incoming, answer, { getExtra: path === '/sw.js' && extraCode ? () => extraCode : null, passOn });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    release: (code) => {
      extraCode = code;
    },
    remove: (path) => removed.push(path),
    slowDown: (line) => {
      passOn = createSlowLine(line);
    },
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Changes {
  getExtra: (() => string) | null;
  passOn: ((body: IncomingMessage) => Promise<NodeJS.ReadableStream>) | null;
}

function forward(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  { getExtra, passOn }: Changes,
): void {
  // Code can be appended only to an uncompressed, complete answer.
  const { 'if-none-match': _tag, 'if-modified-since': _time, ...whole } = incoming.headers;
  const headers = getExtra ? { ...whole, 'accept-encoding': 'identity' } : incoming.headers;
  const address = new URL(incoming.url ?? '/', target);
  const outgoing = request(address, { method: incoming.method, headers }, async (reply) => {
    const { 'content-length': length, etag, 'last-modified': modified, ...rest } = reply.headers;
    if (!getExtra) {
      const body = passOn ? await passOn(reply) : reply;
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      body.pipe(answer);
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

/** Every answer waits for the latency. All answers share the bandwidth, one after the other. */
function createSlowLine({ bytesPerSecond, latencyMs }: Line): NonNullable<Changes['passOn']> {
  let isFreeAt = 0;
  return async (body) => {
    await wait(latencyMs);
    const slowed = new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        isFreeAt = Math.max(Date.now(), isFreeAt) + (chunk.length / bytesPerSecond) * 1000;
        await wait(Math.max(0, isFreeAt - Date.now()));
        done(null, chunk);
      },
    });
    return body.pipe(slowed);
  };
}
