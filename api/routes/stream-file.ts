import { createHash } from 'node:crypto';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '#api/adapters/storage/object-storage.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { spellInLatin } from '#shared/rules/download-names.ts';

interface StoredFile {
  request: FastifyRequest;
  reply: FastifyReply;
  key: string;
  contentType: string;
  cacheControl: string;
  allowRanges: boolean;
  /** Makes the answer an attachment with this name. */
  downloadName?: string | undefined;
}

/**
 * Answers GET or HEAD with a stored file: all of it, one range, or 304 (RFC 9110, sections 13 and 14). Throws
 * range_not_satisfiable. A missing file is our error, because a row names it.
 */
export async function sendStoredFile(app: AppContext, file: StoredFile): Promise<FastifyReply> {
  const { request, reply, key } = file;
  const size = await app.storage.findSize(key);
  if (size === null) throw new Error(`A row promises ${key}, which is not in the storage`);
  const etag = makeEtag(key, size);
  reply.header('accept-ranges', file.allowRanges ? 'bytes' : 'none');
  if (matchesAny(request.headers['if-none-match'], etag)) {
    return reply.code(304).headers({ etag, 'cache-control': file.cacheControl }).send();
  }

  const range = file.allowRanges ? readRange(request, etag, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable');
  }
  // Opened before the headers are set, so that no cache stores a failure.
  const content = request.method === 'HEAD' ? undefined : await app.storage.open(key, range ?? undefined);
  reply.headers({ etag, 'cache-control': file.cacheControl, 'content-type': file.contentType });
  if (file.downloadName) reply.header('content-disposition', describeAttachment(file.downloadName));
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.header('content-length', range ? range.end - range.start + 1 : size);
  return reply.send(content);
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
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header) ?? [];
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
