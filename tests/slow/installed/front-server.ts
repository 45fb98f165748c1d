import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const UPLOAD_PATH = '/api/upload';
/** More than the buffers between the browser and the program hold. */
const HELD_AFTER_BYTES = 1_000_000;

/** A proxy before the program. A test can change its answers as a new release would. */
export interface FrontServer {
  url: string;
  /** Appends this to the worker's code, so that the browser sees a new release. */
  release: (code: string) => void;
  /** Answers 404 for these paths from now on. */
  remove: (path: RegExp) => void;
  /** Sends all answers over one slow line from now on. */
  slowDown: (line: Line) => void;
  /** Stops the next upload in the middle of this part. */
  holdUpload: (part: HeldUpload['part']) => HeldUpload;
  /** The requests in order, as `GET /app`. */
  requests: string[];
  stop: () => Promise<void>;
}

/** An upload that is on its way. */
export interface HeldUpload {
  /** `photo`: its beginning has gone to the program. `answer`: the program has answered, and the browser waits. */
  part: 'photo' | 'answer';
  isHeld: Promise<void>;
  release: () => void;
  /** Breaks the connection to the browser. */
  cut: () => void;
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
  let held: UploadGate | null = null;
  let passOn: ((body: IncomingMessage) => Promise<NodeJS.ReadableStream>) | null = null;
  const server: Server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/';
    requests.push(`${incoming.method} ${path}`);
    if (removed.some((pattern) => pattern.test(path))) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
      return;
    }
    const getExtra = path === '/sw.js' && extraCode ? () => extraCode : null;
    const gate = path === UPLOAD_PATH ? held : null;
    if (gate) held = null;
    forward(target, incoming, answer, { getExtra, passOn, gate });
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
    holdUpload: (part) => {
      held = createUploadGate(part);
      return held;
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
  gate: UploadGate | null;
}

function forward(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  { getExtra, passOn, gate }: Changes,
): void {
  // Code can be appended only to an uncompressed, complete answer.
  const { 'if-none-match': _tag, 'if-modified-since': _time, ...whole } = incoming.headers;
  const headers = getExtra ? { ...whole, 'accept-encoding': 'identity' } : incoming.headers;
  const address = new URL(incoming.url ?? '/', target);
  const outgoing = request(address, { method: incoming.method, headers }, async (reply) => {
    const { 'content-length': length, etag, 'last-modified': modified, ...rest } = reply.headers;
    await gate?.passAnswer();
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
  gate?.whenCut(() => answer.destroy());
  (gate ? incoming.pipe(gate.passPhoto()) : incoming).pipe(outgoing);
}

interface UploadGate extends HeldUpload {
  passPhoto: () => Transform;
  passAnswer: () => Promise<void>;
  whenCut: (cut: () => void) => void;
}

function createUploadGate(part: HeldUpload['part']): UploadGate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<void>();
  const hold = () => {
    reached.resolve();
    return opened.promise;
  };
  let bytes = 0;
  return {
    part,
    isHeld: reached.promise,
    release: opened.resolve,
    cut: cut.resolve,
    passPhoto: () =>
      new Transform({
        async transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (part === 'photo' && bytes > HELD_AFTER_BYTES) await hold();
          done(null, chunk);
        },
      }),
    passAnswer: async () => {
      if (part === 'answer') await hold();
    },
    whenCut: (react) => void cut.promise.then(react),
  };
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
