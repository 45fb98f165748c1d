import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expectBytes } from './expect-bytes.ts';
import {
  assertKey,
  type ByteRange,
  LINK_SECONDS,
  type LinkOptions,
  type ListedObject,
  ObjectNotFoundError,
  type ObjectStorage,
  PROBE_FOLDER,
  type SizedSource,
  StorageFullError,
  StorageUnavailableError,
} from './object-storage.ts';

export interface S3Options {
  endpoint: string;
  /** The address at which browsers reach the bucket. Null: no links are given. */
  publicEndpoint: string | null;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** For tests. */
  timeouts?: Partial<S3Timeouts>;
}

interface S3Timeouts {
  connectMs: number;
  /** Until an answer begins. A file that is sent gets the time that its bytes need on top. */
  answerMs: number;
  /** Between two chunks of a file. */
  chunkMs: number;
}

const TIMEOUTS: S3Timeouts = { connectMs: 3_000, answerMs: 10_000, chunkMs: 20_000 };
/** The slowest connection to a storage that is waited for. */
const SENT_BYTES_PER_MS = 250;
/**
 * A call is repeated when the storage is busy or does not answer. A stream cannot be sent twice, so it has one attempt.
 */
const MAX_ATTEMPTS = 3;
/** Each person who downloads holds one, for as long as their connection needs. Without a free one no file is opened. */
const READING_SOCKETS = 250;
/** All other calls are over within seconds. They have sockets of their own, so that no reader keeps them waiting. */
const CALLING_SOCKETS = 50;
/** What goes wrong is thrown. The SDK would also write it to the console. */
const NO_LOGGER = { debug() {}, info() {}, warn() {}, error() {} };

interface Bucket {
  client: S3Client;
  /** Opens files, which are read for as long as their readers like. */
  readingClient: S3Client;
  /** Signs links for browsers. */
  linkClient: S3Client | null;
  Bucket: string;
  timeouts: S3Timeouts;
}

/** Stores objects in a bucket of S3 or of a server that speaks its protocol. */
export function createS3Storage(options: S3Options): ObjectStorage {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const { endpoint, publicEndpoint } = options;
  const bucket: Bucket = {
    client: createClient(options, { endpoint, timeouts, maxSockets: CALLING_SOCKETS }),
    readingClient: createClient(options, { endpoint, timeouts, maxSockets: READING_SOCKETS }),
    linkClient:
      publicEndpoint === null
        ? null
        : createClient(options, { endpoint: publicEndpoint, timeouts, maxSockets: CALLING_SOCKETS }),
    Bucket: options.bucket,
    timeouts,
  };
  const storage: ObjectStorage = {
    name: 's3',
    put: (key, content, contentType) => putObject(bucket, key, content, contentType),
    open: (key, range) => openObject(bucket, bucket.readingClient, key, range),
    openToSend: (key, range) => openObject(bucket, bucket.readingClient, key, range),
    read: async (key, range) => buffer(await openObject(bucket, bucket.client, key, range)),
    findLink: (key, link) => findLink(bucket, key, link),
    findSize: (key) => findSize(bucket, key),
    remove: (key) => removeObject(bucket, key),
    list: (folder) => listObjects(bucket, folder),
    check: () => checkRoundTrip(storage),
    findFreeBytes: async () => null,
  };
  return storage;
}

function createClient(
  options: S3Options,
  { endpoint, timeouts, maxSockets }: { endpoint: string; timeouts: S3Timeouts; maxSockets: number },
): S3Client {
  const { region, accessKeyId, secretAccessKey } = options;
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // With checksums the SDK sends streams in a framing that other makers' servers refuse, or store with the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    logger: NO_LOGGER,
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

async function putObject(
  { client, Bucket, timeouts }: Bucket,
  key: string,
  content: Buffer | SizedSource,
  contentType: string,
): Promise<void> {
  assertKey(key);
  const bytes = Buffer.isBuffer(content) ? content.length : content.bytes;
  const file = { Bucket, Key: key, ContentType: contentType, ContentLength: bytes };
  const requestTimeout = timeouts.answerMs + bytes / SENT_BYTES_PER_MS;
  if (Buffer.isBuffer(content)) {
    await understood(client.send(new PutObjectCommand({ ...file, Body: content }), { requestTimeout }));
    return;
  }
  await sendStream(content, (Body, abortSignal) =>
    client.send(new PutObjectCommand({ ...file, Body }), { abortSignal, requestTimeout }),
  );
}

/**
 * Passes the bytes to `send`. Throws the error of the stream or of the storage, whichever came first. Nothing is stored
 * then, because the request was not complete.
 */
async function sendStream(
  { open, bytes }: SizedSource,
  send: (body: Readable, abortSignal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const abort = new AbortController();
  const body = new PassThrough();
  const [read, sent] = await Promise.allSettled([
    // The SDK does not notice that a body breaks off.
    pipeline(open(), expectBytes(bytes), body).finally(() => body.errored && abort.abort()),
    send(body, abort.signal).finally(() => body.destroy()),
  ]);
  if (sent.status === 'rejected' && !abort.signal.aborted) throw understand(sent.reason);
  if (read.status === 'rejected') throw read.reason;
}

async function openObject(
  { Bucket, timeouts }: Bucket,
  client: S3Client,
  key: string,
  range?: ByteRange,
): Promise<Readable> {
  assertKey(key);
  const part = range && { Range: `bytes=${range.start}-${range.end}` };
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, ...part }));
    return guardBody(Body as Readable, timeouts.chunkMs);
  } catch (error) {
    const isAbsent = error instanceof S3ServiceException && error.name === 'NoSuchKey';
    throw isAbsent ? new ObjectNotFoundError(key) : understand(error);
  }
}

/**
 * The bytes of a file. They end with StorageUnavailableError when the connection breaks or stands still. A reader who
 * takes a break is waited for.
 */
function guardBody(body: Readable, chunkMs: number): Readable {
  const guarded = new PassThrough();
  let hasMoved = true;
  const watch = setInterval(() => {
    if (!hasMoved && !guarded.writableNeedDrain) body.destroy(new Error(`nothing came for ${chunkMs} ms`));
    hasMoved = false;
  }, chunkMs).unref();
  body.on('data', () => {
    hasMoved = true;
  });
  body.once('error', (error) => guarded.destroy(new StorageUnavailableError(error)));
  guarded.once('close', () => {
    clearInterval(watch);
    body.destroy();
  });
  return body.pipe(guarded);
}

async function findLink(
  { linkClient, Bucket }: Bucket,
  key: string,
  { contentType, contentDisposition }: LinkOptions,
): Promise<string | null> {
  assertKey(key);
  if (!linkClient) return null;
  const command = new GetObjectCommand({
    Bucket,
    Key: key,
    ResponseContentType: contentType,
    ResponseContentDisposition: contentDisposition,
    ResponseCacheControl: 'private, no-store',
  });
  return getSignedUrl(linkClient, command, { expiresIn: LINK_SECONDS });
}

async function findSize({ client, Bucket }: Bucket, key: string): Promise<number | null> {
  assertKey(key);
  try {
    const { ContentLength = 0 } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
    return ContentLength;
  } catch (error) {
    if (!isStatus(error, 404)) throw understand(error);
    // The answer has no body, so a missing bucket looks like a missing file, even one that was there a moment ago.
    await understood(client.send(new HeadBucketCommand({ Bucket })));
    return null;
  }
}

async function removeObject({ client, Bucket }: Bucket, key: string): Promise<void> {
  assertKey(key);
  await understood(client.send(new DeleteObjectCommand({ Bucket, Key: key })));
}

async function* listObjects({ client, Bucket }: Bucket, folder: string): AsyncGenerator<ListedObject> {
  assertKey(folder.replace(/\/$/, ''));
  let ContinuationToken: string | undefined;
  do {
    const page = new ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken });
    const { Contents = [], NextContinuationToken } = await understood(client.send(page));
    for (const { Key, Size, LastModified } of Contents) {
      if (Key && LastModified) yield { key: Key, bytes: Size ?? 0, modifiedAt: LastModified };
    }
    ContinuationToken = NextContinuationToken;
  } while (ContinuationToken);
}

/** Writes, reads and removes a file of a few bytes. Its key is new, because several processes may check at once. */
async function checkRoundTrip(storage: ObjectStorage): Promise<void> {
  const key = `${PROBE_FOLDER}${randomUUID()}`;
  const probe = Buffer.from('probe');
  await storage.put(key, probe, 'text/plain');
  let seen: Buffer;
  try {
    seen = await storage.read(key);
  } finally {
    // A storage that does not answer keeps it until the nightly sweep.
    await storage.remove(key);
  }
  if (!seen.equals(probe)) throw new StorageUnavailableError(new Error('it gave back other bytes'));
}

async function understood<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw understand(error);
  }
}

/** What servers of several makers say when a quota or a disk is full. */
const FULL_CODES = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'InsufficientCapacity']);

/** What only a request of ours can be wrong in. Other answers with 400 are about time, keys, region or connection. */
const OUR_FAULTS = new Set([
  'BadDigest',
  'EntityTooLarge',
  'InvalidArgument',
  'InvalidDigest',
  'InvalidRequest',
  'KeyTooLongError',
  'XAmzContentSHA256Mismatch',
]);

/** A call that failed means that the storage does not work, unless the request itself was wrong. */
function understand(error: unknown): unknown {
  if (isStatus(error, 507) || (error instanceof Error && FULL_CODES.has(error.name)))
    return new StorageFullError(nameCause(error));
  const isOurs = error instanceof S3ServiceException && OUR_FAULTS.has(error.name);
  return isOurs ? error : new StorageUnavailableError(nameCause(error));
}

/** The answer to HEAD has no body, and Ceph's errors have a code and no message: then the SDK says «UnknownError». */
function nameCause(error: unknown): unknown {
  if (!(error instanceof S3ServiceException) || error.message !== 'UnknownError') return error;
  const { Code } = error as { Code?: string };
  const named = new Error(['it answers', error.$metadata.httpStatusCode, Code].filter(Boolean).join(' '));
  return Code ? Object.assign(named, { name: Code }) : named;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}
