import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';
import { measureFile, type RecordedFile } from '#api/services/core/stored-file.ts';
import { spellInLatin } from '#shared/rules/download-names.ts';
import { RANGE_HEADER } from '#shared/rules/outside-text.ts';

/** Files up to this size are read at once: a stream would hold as much anyway. */
const READ_AT_ONCE_BYTES = 64 * 1024;

interface StoredFile {
  request: FastifyRequest;
  reply: FastifyReply;
  file: RecordedFile;
  contentType: string;
  cacheControl: string;
  allowRanges: boolean;
  /** Makes the answer an attachment with this name. */
  downloadName?: string | undefined;
  /** The person may have this very file, without a logo. So a link to it may leave this program. */
  mayLeave?: boolean;
}

/**
 * Answers GET or HEAD with a stored file: all of it, one range, or 304 (RFC 9110, sections 13 and 14). The bytes come
 * from nginx or S3 where these can send them. Throws range_not_satisfiable, ObjectNotFoundError for a missing or a
 * broken file, StorageUnavailableError.
 */
export async function sendStoredFile(app: AppContext, sent: StoredFile): Promise<FastifyReply> {
  const { request, reply, file } = sent;
  const { key } = file;
  const size = await measureFile(app, file).catch(async (error: unknown) => {
    // Another storage says nothing about our files.
    if (error instanceof ObjectNotFoundError) await assertHoldsOurFiles(app);
    throw error;
  });
  if (app.config.mediaAccel === 'nginx') return letNginxSend(sent);
  const link = await findLink(app, sent);
  if (link) return reply.header('cache-control', 'private, no-store').redirect(link);
  const etag = makeEtag(key, size);
  reply.header('accept-ranges', sent.allowRanges ? 'bytes' : 'none');
  if (matchesAny(request.headers['if-none-match'], etag)) {
    return reply.code(304).headers({ etag, 'cache-control': sent.cacheControl }).send();
  }

  const range = sent.allowRanges ? readRange(request, etag, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable');
  }
  const part = range ?? { start: 0, end: size - 1 };
  const bytes = part.end + 1 - part.start;
  const content = request.method === 'HEAD' ? undefined : await openContent(app, key, part, bytes);
  reply.headers({ etag, ...describeFile(sent) });
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return reply.header('content-length', bytes).send(content);
}

/** A small part is read before it is sent, because a stream costs more than its bytes. */
function openContent({ storage }: AppContext, key: string, part: ByteRange, bytes: number): Promise<Buffer | Readable> {
  return bytes <= READ_AT_ONCE_BYTES ? storage.read(key, part) : storage.openToSend(key, part);
}

function describeFile({ cacheControl, contentType, downloadName }: StoredFile) {
  return {
    'cache-control': cacheControl,
    'content-type': contentType,
    ...(downloadName ? { 'content-disposition': describeAttachment(downloadName) } : {}),
  };
}

/**
 * Names the file for nginx, which sends it with Range, HEAD and an ETag of its own. operations/nginx/podium.conf has
 * these two locations; they differ in whether ranges are sent.
 */
function letNginxSend(sent: StoredFile): FastifyReply {
  const location = sent.allowRanges ? '/internal-files/' : '/internal-whole-files/';
  return sent.reply.headers({ ...describeFile(sent), 'x-accel-redirect': location + sent.file.key }).send();
}

/**
 * What may be answered with a redirect to another origin, by Sec-Fetch-Dest: pictures of pages, and pages themselves,
 * which downloads count as. Scripts would need CORS and a player a link that does not expire; requests without this
 * header are none of browsers that we know.
 */
const FOLLOWING = new Set(['image', 'document']);

/** Null: this program has to send the file. */
async function findLink({ storage }: AppContext, sent: StoredFile): Promise<string | null> {
  const { request, file, contentType, downloadName } = sent;
  const isFollowed = request.method === 'GET' && FOLLOWING.has(String(request.headers['sec-fetch-dest']));
  if (!sent.mayLeave || !isFollowed) return null;
  const contentDisposition = downloadName && describeAttachment(downloadName);
  return storage.findLink(file.key, { contentType, contentDisposition });
}

/** The content of a key is final once a row names it. A run repeated before that gives a file of another size. */
function makeEtag(key: string, size: number): string {
  return `"${createHash('sha256').update(`${key}:${size}`).digest('base64url').slice(0, 22)}"`;
}

function matchesAny(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Null means the whole file: no range was requested, the ETag differs, or it is not one valid range. */
function readRange(request: FastifyRequest, etag: string, size: number): ByteRange | 'unsatisfiable' | null {
  const { range, 'if-range': ifRange } = request.headers;
  if (request.method !== 'GET' || !range || (ifRange && ifRange !== etag)) return null;
  return parseRange(range, size);
}

/** Parses a Range header for a file of `size` bytes. */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = RANGE_HEADER.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** RFC 6266 with RFC 8187: an ASCII name for old clients and the real name. */
export function describeAttachment(name: string): string {
  const plain = spellInLatin(name).replace(/["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(name)}`;
}
