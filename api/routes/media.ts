import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import type { Result } from '#api/services/generations/find-generation.ts';
import { getGarmentCrop } from '#api/services/generations/garment-crops.ts';
import { withResultFiles } from '#api/services/generations/lost-results.ts';
import { recordedBytes } from '#api/services/generations/result-files.ts';
import {
  requireDeletedResult,
  requireImage,
  requireResult,
  selectImageKey,
  selectPosterKey,
  selectResult,
  selectThumbnailKey,
} from '#api/services/generations/results.ts';
import { type ShownSize, withShownPhoto } from '#api/services/generations/shown-photos.ts';
import { requireOwn } from '#api/services/ground/ownership.ts';
import type { RecordedFile } from '#api/services/ground/stored-file.ts';
import { selectPhoto } from '#api/services/photos/photos.ts';
import { streamGarmentCrop } from '#shared/contract/garment-checks.ts';
import {
  streamDeletedPoster,
  streamPhotoPreview,
  streamPhotoThumbnail,
  streamResultImage,
  streamResultPoster,
  streamResultThumbnail,
} from '#shared/contract/media.ts';
import { bindEndpoint, bindReadingEndpoint } from './bind-endpoint.ts';
import { sendStoredFile } from './stream-file.ts';

/**
 * The browser asks before it shows a cached file, because somebody else may have signed in. The same address also
 * serves another file after a payment, and none after a deletion.
 */
const REVALIDATED = 'private, no-cache';
const CONTENT_TYPES: Record<string, string> = {
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};

/** Each picture is found and checked in one statement with the session, because a page shows dozens. */
export function addMediaRoutes(server: FastifyInstance, app: AppContext): void {
  addPhotoRoute(server, app, streamPhotoPreview, 'preview');
  addPhotoRoute(server, app, streamPhotoThumbnail, 'thumbnail');
  addResultRoute(server, app, streamResultImage, { require: requireImage, selectKey: selectImageKey });
  addResultRoute(server, app, streamResultPoster, { require: requireResult, selectKey: selectPosterKey });
  addResultRoute(server, app, streamResultThumbnail, { require: requireResult, selectKey: selectThumbnailKey });
  addResultRoute(server, app, streamDeletedPoster, { require: requireDeletedResult, selectKey: selectPosterKey });
  bindEndpoint(server, streamGarmentCrop, async ({ account, params, reply }) => {
    const crop = await getGarmentCrop(app, account.id, params);
    return reply.headers({ 'cache-control': REVALIDATED, 'content-type': 'image/webp' }).send(crop);
  });
}

function addPhotoRoute(
  server: FastifyInstance,
  app: AppContext,
  endpoint: typeof streamPhotoPreview | typeof streamPhotoThumbnail,
  size: ShownSize,
): void {
  bindReadingEndpoint(
    server,
    endpoint,
    ({ params }) => selectPhoto(params.id),
    async ({ account, found, request, reply }) => {
      const photo = requireOwn('photo', account.id, found);
      const { isPremium } = account.premium;
      return withShownPhoto(app, photo, { size, isPremium }, (file) => sendPicture(app, request, reply, file));
    },
  );
}

interface ResultPicture {
  require: typeof requireResult;
  /** Which file of the result this owner may see now. */
  selectKey: (app: AppContext, result: Result, isPremium: boolean) => Promise<string>;
}

function addResultRoute(
  server: FastifyInstance,
  app: AppContext,
  endpoint:
    | typeof streamResultImage
    | typeof streamResultPoster
    | typeof streamResultThumbnail
    | typeof streamDeletedPoster,
  { require, selectKey }: ResultPicture,
): void {
  bindReadingEndpoint(
    server,
    endpoint,
    ({ params }) => selectResult(params),
    async ({ account, found, request, reply }) =>
      withResultFiles(app, require(account.id, found), async (known) => {
        const key = await selectKey(app, known, account.premium.isPremium);
        const file = { key, bytes: recordedBytes(known, key) };
        return sendPicture(app, request, reply, file, { mayLeave: key === known.originalKey });
      }),
  );
}

/** Answers with a stored picture. */
export function sendPicture(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: RecordedFile,
  { mayLeave = false }: { mayLeave?: boolean } = {},
): Promise<FastifyReply> {
  return sendStoredFile(app, {
    request,
    reply,
    file,
    contentType: CONTENT_TYPES[path.extname(file.key)] ?? 'application/octet-stream',
    cacheControl: REVALIDATED,
    allowRanges: false,
    mayLeave,
  });
}
