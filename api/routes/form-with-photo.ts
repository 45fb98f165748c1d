import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { PhotoSource } from '#api/services/generations/tools/generation-tool.ts';
import type { ReceivedPhoto } from '#api/services/photos/photos.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';

/** How much of a refused form is read, so that its sender can read the answer. */
const DISCARDED_MAX_BYTES = 2 * PHOTO_MAX_BYTES;

/** What is received before it is written. */
const BLOCK_BYTES = 1024 * 1024;

/** A form that has arrived completely, with its parts in any order. */
export interface PhotoForm {
  /** Its file exists while the form is handled. Null when there is none: browsers send an empty file then. */
  photo: ReceivedPhoto | null;
  /** Text fields by name. The last one of a repeated name counts. */
  fields: Record<string, string>;
}

/**
 * Reads a form with at most one photo in the field `fileField` and passes it to `use`. Afterwards removes the photo's
 * file. Throws photo_missing when it is no form or the file is in another field, photo_too_large, invalid_request, and
 * `unavailable` when too many forms of the account wait.
 */
export async function withPhotoForm<T>(
  app: Pick<AppContext, 'config' | 'log' | 'state'>,
  {
    accountId,
    request,
    reply,
    fileField,
  }: { accountId: number; request: FastifyRequest; reply: FastifyReply; fileField: string },
  use: (form: PhotoForm) => Promise<T>,
): Promise<T> {
  try {
    return await app.state.semaphores.formsOfAccount.run(accountId, () =>
      withTemporaryFolder(app, async (folder) => use(await readForm(request, folder, fileField))),
    );
  } catch (error) {
    const isRead = await discardRest(request.raw, DISCARDED_MAX_BYTES);
    if (!isRead) reply.header('connection', 'close');
    throw error;
  }
}

/** Parses the text fields with the schema of the contract. Throws invalid_request. */
export function parseFields<Schema extends z.ZodMiniType>(schema: Schema, form: PhotoForm): z.output<Schema> {
  const parsed = schema.safeParse(form.fields);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  throw new AppError('invalid_request', { fields: Object.fromEntries(complaints.reverse()) });
}

/**
 * The photo that a tool works on: the one in the form, or one that is on the server already. Null when there is
 * neither.
 */
export async function choosePhoto(form: PhotoForm, imageId: string | undefined): Promise<PhotoSource | null> {
  if (form.photo) return { received: form.photo };
  return imageId ? { imageId } : null;
}

async function readForm(request: FastifyRequest, folder: string, fileField: string): Promise<PhotoForm> {
  if (!request.isMultipart()) throw new AppError('photo_missing');
  // The request has ended before the parser could notice, so the parser would wait for ever.
  if (request.raw.destroyed) refuseForm(new Error('the sender has hung up'), fileField);
  // One byte and one file above the limit, so that an excess is noticed and not cut off.
  const parts = request.parts({ limits: { fileSize: PHOTO_MAX_BYTES + 1, files: 2 } });
  const fields = new Map<string, string>();
  let photo: ReceivedPhoto | null = null;
  for (;;) {
    const { value: part, done } = await parts.next().catch((error) => refuseForm(error, fileField));
    if (done) return { photo: photo && photo.size > 0 ? photo : null, fields: Object.fromEntries(fields) };
    if (part.type === 'field') {
      if (part.valueTruncated)
        throw new AppError('invalid_request', { fields: { [part.fieldname]: 'Слишком длинно' } });
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    if (part.fieldname !== fileField) throw new AppError('photo_missing');
    if (photo) throw new AppError('invalid_request', { fields: { [fileField]: 'Загружайте фото по одному' } });
    photo = await receiveFile(part, path.join(folder, 'photo'), fileField);
  }
}

async function receiveFile(part: MultipartFile, file: string, fileField: string): Promise<ReceivedPhoto> {
  const handle = await open(file, 'wx');
  try {
    const written = await writeChunks(readPart(part.file, fileField), handle);
    return { path: file, ...written, name: readFileName(part) };
  } finally {
    await handle.close();
  }
}

/**
 * Browsers write a quotation mark in a name as `%22` (HTML, «multipart/form-data encoding algorithm»). An empty name is
 * undefined, whatever its type says.
 */
function readFileName({ filename }: { filename: string | undefined }): string {
  return (filename ?? '').replaceAll('%22', '"');
}

/** The chunks of a file. A broken form becomes an error of its own, so that it does not count as ours. */
async function* readPart(chunks: AsyncIterable<Buffer>, fileField: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) yield chunk;
  } catch (error) {
    throw describeBrokenForm(error, fileField);
  }
}

/** Writes and hashes in blocks: connections bring small chunks, and each write costs more than its bytes. */
async function writeChunks(
  chunks: AsyncIterable<Buffer>,
  file: FileHandle,
): Promise<Pick<ReceivedPhoto, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let size = 0;
  let filled = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > PHOTO_MAX_BYTES) throw new AppError('photo_too_large');
    for (let taken = 0; taken < chunk.length; ) {
      const copied = chunk.copy(block, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < block.length) break;
      hash.update(block);
      await file.writeFile(block);
      filled = 0;
    }
  }
  const rest = block.subarray(0, filled);
  await file.writeFile(rest);
  return { size, sha256: hash.update(rest).digest('hex') };
}

/** A broken or malformed form is its sender's fault. */
function refuseForm(error: unknown, fileField: string): never {
  throw describeBrokenForm(error, fileField);
}

function describeBrokenForm(error: unknown, fileField: string): AppError {
  const refusal = new AppError('invalid_request', { fields: { [fileField]: 'Файл передан не полностью' } });
  return Object.assign(refusal, { cause: error });
}

/** Reads and discards the rest of a request. False when there are more than `maxBytes`. */
function discardRest(request: IncomingMessage, maxBytes: number): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(true);
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      request.pause();
      resolve(false);
    });
    request.once('end', () => resolve(true));
    request.once('close', () => resolve(true));
    request.unpipe();
    request.resume();
  });
}
