import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import { type IncomingPhoto, presentPhoto, receivePhoto } from '#api/services/photos.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Decision 81 asks for at least 60 a minute. */
const UPLOADS_PER_MINUTE = 90;
/** Of a refused form, so that its sender gets to read the answer. */
const DISCARDED_MAX_BYTES = 2 * PHOTO_MAX_BYTES;

/** Photos come in here. */
export function addUploadRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    uploadPhoto,
    async ({ account, request, reply }) => {
      try {
        const incoming = await openForm(request);
        return presentPhoto(await receivePhoto(app, account.id, incoming));
      } catch (error) {
        const isRead = await discardRest(request.raw, DISCARDED_MAX_BYTES);
        if (!isRead) reply.header('connection', 'close');
        throw error;
      }
    },
    { limit: { max: UPLOADS_PER_MINUTE, timeWindow: '1 minute' } },
  );
}

type Parts = AsyncIterableIterator<Multipart>;

/** The form up to its photo. Throws photo_missing, invalid_request. */
async function openForm(request: FastifyRequest): Promise<IncomingPhoto> {
  if (!request.isMultipart()) throw new AppError('photo_missing');
  // One byte and one file more than allowed, so that the excess is seen instead of cut off.
  const parts = request.parts({ limits: { fileSize: PHOTO_MAX_BYTES + 1, files: 2 } });
  const file = await findFile(parts);
  if (file?.fieldname !== uploadPhoto.file) throw new AppError('photo_missing');
  return { stream: Readable.from(readOnlyFile(file, parts), { objectMode: false }), name: file.filename };
}

async function findFile(parts: Parts): Promise<MultipartFile | null> {
  for (;;) {
    const { value: part, done } = await parts.next().catch(refuseForm);
    if (done) return null;
    if (part.type === 'file') return part;
  }
}

/** The bytes of the photo, and then the end of the form: a photo counts only when the whole form has come. */
async function* readOnlyFile(file: MultipartFile, parts: Parts): AsyncGenerator<Buffer> {
  try {
    yield* file.file;
  } catch (error) {
    refuseForm(error);
  }
  if (await findFile(parts)) throw new AppError('invalid_request', { fields: { image: 'Загружайте фото по одному' } });
}

/** A form that breaks off or is written wrongly is its sender's fault. */
function refuseForm(error: unknown): never {
  const refusal = new AppError('invalid_request', { fields: { image: 'Файл передан не полностью' } });
  throw Object.assign(refusal, { cause: error });
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
