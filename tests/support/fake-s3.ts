import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { checkSignature, readQuery, type S3Keys, S3Refusal } from './fake-s3-signature.ts';
import { listen } from './listen.ts';

export const FAKE_S3_KEYS: S3Keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const BUCKET = 'podium-test';
const REGION = 'ru-central1';

type Operation = 'PUT' | 'GET' | 'HEAD' | 'DELETE' | 'LIST';

/** What goes wrong with a call. */
export type S3Fault = {
  /** The fault affects this operation. Without one, any. */
  on?: Operation;
} & (
  | { kind: 'slow_down' | 'internal' | 'access_denied' | 'quota_exceeded' }
  /** An answer with 400 and this code. */
  | { kind: 'bad_request'; code: string }
  /** No answer, and the connection stays open. */
  | { kind: 'hang' }
  /** The connection is reset after this many bytes of the file, on its way here or back. */
  | { kind: 'cut'; afterBytes: number }
  /** The answer ends after this many bytes, though it has promised more. */
  | { kind: 'short'; afterBytes: number }
  /** The answer stands still after this many bytes. */
  | { kind: 'stall'; afterBytes: number }
  /** A pause before each chunk of the answer. */
  | { kind: 'slow'; pauseMs: number; chunkBytes: number }
);

interface StoredObject {
  content: Buffer;
  contentType: string;
  modifiedAt: Date;
}

interface Call {
  operation: Operation;
  method: string;
  url: string;
  key: string;
  query: Map<string, string>;
  headers: IncomingHttpHeaders;
}

export type FakeS3 = Awaited<ReturnType<typeof startFakeS3>>;

/**
 * A bucket that speaks S3's protocol as documented, controlled by a test. It refuses what servers of other makers do
 * not know: chunk signatures, trailers, several deletions at once, policies.
 *
 * `pageSize`: a list brings at most so many keys, whatever it was asked for. `isTerse`: errors have a code and an empty
 * message, as those of Ceph.
 */
export async function startFakeS3({ pageSize = 1000, isTerse = false } = {}) {
  const objects = new Map<string, StoredObject>();
  const calls: Call[] = [];
  let faults: S3Fault[] = [];
  let lasting: S3Fault | null = null;
  let keys = FAKE_S3_KEYS;
  let clockOffsetMs = 0;
  let hasBucket = true;
  let faulted = 0;
  const now = () => new Date(Date.now() + clockOffsetMs);

  function takeFault(operation: Operation): S3Fault | null {
    const isMeant = ({ on }: S3Fault) => on === undefined || on === operation;
    if (lasting && isMeant(lasting)) return lasting;
    const fault = faults.find(isMeant) ?? null;
    faults = faults.filter((one) => one !== fault);
    return fault;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = readCall(request);
    calls.push(call);
    response.setHeader('date', now().toUTCString());
    const { isPresigned } = checkSignature(call, keys, now());
    assertPlain(call);
    const fault = takeFault(call.operation);
    if (fault) faulted++;
    if (fault?.kind === 'hang') return;
    if (fault) refuseBy(fault);
    const bucket = call.url.split(/[/?]/)[1];
    if (bucket !== BUCKET || !hasBucket) throw new S3Refusal(404, 'NoSuchBucket');
    if (call.operation === 'PUT') {
      const content = await readBody(request, call, fault);
      const contentType = call.headers['content-type'] ?? 'binary/octet-stream';
      objects.set(call.key, { content, contentType, modifiedAt: now() });
      response.setHeader('etag', tagOf(content)).end();
    } else if (call.operation === 'DELETE') {
      objects.delete(call.key);
      response.writeHead(204).end();
    } else if (call.operation === 'LIST') {
      response.setHeader('content-type', 'application/xml').end(list(objects, call, pageSize));
    } else if (call.key === '') {
      response.end();
    } else {
      await sendObject(response, call, { stored: objects.get(call.key), isPresigned, fault });
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (request.destroyed || response.headersSent) return;
      if (!(error instanceof S3Refusal)) throw error;
      // An answer before the end of the body ends the connection, or the rest would be taken for a request.
      if (!request.complete) response.setHeader('connection', 'close');
      const { status, code } = error;
      const message = isTerse ? '' : error.message;
      const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : body);
    });
  });
  const { port, close } = await listen(server);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    /** The value for S3_ENDPOINT. */
    endpoint,
    /** The settings with which the program uses this bucket. */
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: FAKE_S3_KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: FAKE_S3_KEYS.secretAccessKey,
    },
    objects,
    /** All requests, refused ones too. */
    calls,
    /** How many calls have got a fault. */
    countFaulted: () => faulted,
    /** Each of the next calls gets one of these faults, if it is meant for its operation. */
    failNext: (...next: S3Fault[]) => faults.push(...next),
    /** All calls get this fault, until null. */
    failAll(fault: S3Fault | null) {
      lasting = fault;
    },
    /** The keys stop working. */
    revokeKeys() {
      keys = { accessKeyId: 'AKIANOBODYHASTHISKEY', secretAccessKey: 'revoked' };
    },
    /** Moves the clock of the server. */
    moveClock(ms: number) {
      clockOffsetMs += ms;
    },
    /** Makes a file older, in milliseconds. */
    age(key: string, ms: number) {
      const stored = objects.get(key);
      if (stored) stored.modifiedAt = new Date(Date.now() - ms);
    },
    countConnections: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    /** Removes the whole bucket. */
    removeBucket() {
      hasBucket = false;
    },
    /** Refuses connections and ends those that are open. */
    goAway: close,
    /** Listens again at the same address. */
    async comeBack() {
      await listen(server, port);
    },
    close,
  };
}

function readCall({ method = '', url = '', headers }: IncomingMessage): Call {
  const [path = ''] = url.split('?', 1);
  const key = decodeURIComponent(path.split('/').slice(2).join('/'));
  const query = new Map(readQuery(url));
  const operation = query.has('list-type') ? 'LIST' : (method as Operation);
  return { operation, method, url, key, query, headers };
}

/** Subresources that we do not use, and that not every maker has. */
const SUBRESOURCES = ['acl', 'cors', 'delete', 'lifecycle', 'policy', 'tagging', 'uploads', 'uploadId', 'versioning'];

function assertPlain({ method, headers, query }: Call): void {
  const isFramed =
    headers['content-encoding']?.includes('aws-chunked') ||
    'x-amz-trailer' in headers ||
    String(headers['x-amz-content-sha256']).startsWith('STREAMING-');
  const isKnown = ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) && !('x-amz-copy-source' in headers);
  if (isFramed || !isKnown || SUBRESOURCES.some((name) => query.has(name))) throw new S3Refusal(501, 'NotImplemented');
}

function refuseBy(fault: S3Fault): void {
  const { kind } = fault;
  if (kind === 'bad_request') throw new S3Refusal(400, fault.code);
  if (kind === 'slow_down') throw new S3Refusal(503, 'SlowDown', 'Please reduce your request rate');
  if (kind === 'internal') throw new S3Refusal(500, 'InternalError');
  if (kind === 'access_denied') throw new S3Refusal(403, 'AccessDenied');
  if (kind === 'quota_exceeded') throw new S3Refusal(403, 'QuotaExceeded');
}

async function readBody(request: IncomingMessage, { headers }: Call, fault: S3Fault | null): Promise<Buffer> {
  if (headers['content-length'] === undefined) throw new S3Refusal(411, 'MissingContentLength');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (fault?.kind === 'cut' && bytes > fault.afterBytes) request.socket.resetAndDestroy();
  }
  const content = Buffer.concat(chunks);
  const { 'x-amz-content-sha256': sha256, 'content-md5': md5 } = headers;
  const isDigest = /^[0-9a-f]{64}$/.test(String(sha256));
  if (isDigest && sha256 !== digest('sha256', content, 'hex')) throw new S3Refusal(400, 'XAmzContentSHA256Mismatch');
  if (md5 !== undefined && md5 !== digest('md5', content, 'base64')) throw new S3Refusal(400, 'BadDigest');
  return content;
}

async function sendObject(
  response: ServerResponse,
  { method, query, headers }: Call,
  { stored, isPresigned, fault }: { stored: StoredObject | undefined; isPresigned: boolean; fault: S3Fault | null },
): Promise<void> {
  if (!stored) throw new S3Refusal(404, 'NoSuchKey', 'The specified key does not exist.');
  const etag = tagOf(stored.content);
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const size = stored.content.length;
  const range = readRange(headers.range, size);
  const content = range ? stored.content.subarray(range.start, range.end + 1) : stored.content;
  response.writeHead(range ? 206 : 200, {
    etag,
    'accept-ranges': 'bytes',
    'content-type': stored.contentType,
    'last-modified': stored.modifiedAt.toUTCString(),
    'content-length': content.length,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
    ...(isPresigned ? readOverrides(query) : {}),
  });
  if (method === 'HEAD') response.end();
  else await sendContent(response, content, fault);
}

/** What a signed link says about the answer. */
function readOverrides(query: Map<string, string>): Record<string, string> {
  const names = ['content-type', 'content-disposition', 'cache-control'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(`response-${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function sendContent(response: ServerResponse, content: Buffer, fault: S3Fault | null): Promise<void> {
  if (fault?.kind === 'cut' || fault?.kind === 'short' || fault?.kind === 'stall') {
    response.write(content.subarray(0, fault.afterBytes));
    if (fault.kind === 'stall') return;
    // The bytes get there first.
    await wait(50);
    if (fault.kind === 'cut') response.socket?.resetAndDestroy();
    else response.socket?.end();
    return;
  }
  if (fault?.kind === 'slow') {
    for (let at = 0; at < content.length; at += fault.chunkBytes) {
      await wait(fault.pauseMs);
      response.write(content.subarray(at, at + fault.chunkBytes));
    }
    response.end();
  } else response.end(content);
}

function readRange(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) throw new S3Refusal(416, 'InvalidRange');
  return { start, end };
}

function list(objects: Map<string, StoredObject>, { query }: Call, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const shown = found.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? 1000)));
  const isTruncated = shown.length < found.length;
  const contents = shown.map(
    ([key, { content, modifiedAt }]) =>
      `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified>` +
      `<ETag>&quot;${digest('md5', content, 'hex')}&quot;</ETag><Size>${content.length}</Size></Contents>`,
  );
  const token = isTruncated ? Buffer.from(shown.at(-1)?.[0] ?? '').toString('base64') : null;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${shown.length}</KeyCount>`,
    `<IsTruncated>${isTruncated}</IsTruncated>`,
    ...(token === null ? [] : [`<NextContinuationToken>${token}</NextContinuationToken>`]),
    ...contents,
    '</ListBucketResult>',
  ].join('');
}

function tagOf(content: Buffer): string {
  return `"${digest('md5', content, 'hex')}"`;
}

function digest(algorithm: 'md5' | 'sha256', content: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(content).digest(encoding);
}
