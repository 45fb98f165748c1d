import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { PhotoSource } from '#api/services/generations/start-generation.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';

/** Of a refused form, so that its sender gets to read the answer. */
const DISCARDED_MAX_BYTES = 2 * PHOTO_MAX_BYTES;

/** A photo of a form, on the disk for as long as the form is worked on. */
export interface FormPhoto {
  path: string;
  /** In bytes. */
  size: number;
  name: string;
  /** Of the bytes, in hex. */
  sha256: string;
}

/** A form that has come as a whole, its parts in any order. */
export interface PhotoForm {
  /** Null when there is none, or an empty one, as browsers send it when nothing was chosen. */
  photo: FormPhoto | null;
  /** Text fields by name; of a repeated one the last. */
  fields: Record<string, string>;
}

/**
 * Reads a form with at most one photo in the field `fileField` and hands it to `use`; the photo's file is gone
 * afterwards. Throws photo_missing for what is no form or has its file in another field, photo_too_large,
 * invalid_request.
 */
export async function withPhotoForm<T>(
  app: Pick<AppContext, 'config'>,
  { request, reply, fileField }: { request: FastifyRequest; reply: FastifyReply; fileField: string },
  use: (form: PhotoForm) => Promise<T>,
): Promise<T> {
  try {
    return await withTemporaryFolder(app, async (folder) => use(await readForm(request, folder, fileField)));
  } catch (error) {
    const isRead = await discardRest(request.raw, DISCARDED_MAX_BYTES);
    if (!isRead) reply.header('connection', 'close');
    throw error;
  }
}

/** The text fields as the contract describes them. Throws invalid_request. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, form: PhotoForm): z.output<Schema> {
  const parsed = schema.safeParse(form.fields);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  throw new AppError('invalid_request', { fields: Object.fromEntries(complaints.reverse()) });
}

/** What a tool is to work from: the photo of the form, or one that is on the server already. Null without either. */
export function choosePhoto(form: PhotoForm, imageId: string | undefined): PhotoSource | null {
  if (form.photo) return { received: form.photo };
  return imageId ? { imageId } : null;
}

async function readForm(request: FastifyRequest, folder: string, fileField: string): Promise<PhotoForm> {
  if (!request.isMultipart()) throw new AppError('photo_missing');
  // Its end was told before the parser could hear of it, and would be waited for without end.
  if (request.raw.destroyed) refuseForm(new Error('the sender has hung up'), fileField);
  // One byte and one file more than allowed, so that the excess is seen instead of cut off.
  const parts = request.parts({ limits: { fileSize: PHOTO_MAX_BYTES + 1, files: 2 } });
  const fields = new Map<string, string>();
  let photo: FormPhoto | null = null;
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

async function receiveFile(part: MultipartFile, file: string, fileField: string): Promise<FormPhoto> {
  const hash = createHash('sha256');
  let size = 0;
  // The pipeline's source, so that a form which breaks off is known by its own name, and not as an error of ours.
  async function* measure(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of part.file) {
        size += chunk.length;
        if (size > PHOTO_MAX_BYTES) throw new AppError('photo_too_large');
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof AppError ? error : describeBrokenForm(error, fileField);
    }
  }
  await pipeline(measure, createWriteStream(file));
  return { path: file, size, name: part.filename, sha256: hash.digest('hex') };
}

/** A form that breaks off or is written wrongly is its sender's fault. */
function refuseForm(error: unknown, fileField: string): never {
  throw describeBrokenForm(error, fileField);
}

function describeBrokenForm(error: unknown, fileField: string): AppError {
  const refusal = new AppError('invalid_request', { fields: { [fileField]: 'Файл передан не полностью' } });
  return Object.assign(refusal, { cause: error });
}

/** Reads what is left of a request and throws it away; false when there is more than `maxBytes` of it. */
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
