import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import { getGarmentCrop } from '#api/services/generations/garment/garment-crops.ts';
import type { Result } from '#api/services/generations/results/find-generation.ts';
import { withResultFiles } from '#api/services/generations/results/lost-results.ts';
import { recordedBytes } from '#api/services/generations/results/result-files.ts';
import {
  getDeletedResult,
  getOwnImage,
  getOwnResult,
  selectImageKey,
  selectPosterKey,
  selectThumbnailKey,
} from '#api/services/generations/results/results.ts';
import { type ShownSize, withShownPhoto } from '#api/services/generations/results/shown-photos.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { streamGarmentCrop } from '#shared/contract/garment-checks.ts';
import {
  streamDeletedPoster,
  streamPhotoPreview,
  streamPhotoThumbnail,
  streamResultImage,
  streamResultPoster,
  streamResultThumbnail,
} from '#shared/contract/media.ts';
import { bindEndpoint } from './bind-endpoint.ts';
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

export function addMediaRoutes(server: FastifyInstance, app: AppContext): void {
  addPhotoRoute(server, app, streamPhotoPreview, 'preview');
  addPhotoRoute(server, app, streamPhotoThumbnail, 'thumbnail');
  addResultRoute(server, app, streamResultImage, { getResult: getOwnImage, selectKey: selectImageKey });
  addResultRoute(server, app, streamResultPoster, { getResult: getOwnResult, selectKey: selectPosterKey });
  addResultRoute(server, app, streamResultThumbnail, { getResult: getOwnResult, selectKey: selectThumbnailKey });
  addResultRoute(server, app, streamDeletedPoster, { getResult: getDeletedResult, selectKey: selectPosterKey });
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
  bindEndpoint(server, endpoint, async ({ account, params, request, reply }) => {
    const photo = await getOwnPhoto(app.db, account.id, params.id);
    const { isPremium } = account.premium;
    return withShownPhoto(app, photo, { size, isPremium }, (file) => sendPicture(app, request, reply, file));
  });
}

interface ResultPicture {
  getResult: typeof getOwnResult;
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
  { getResult, selectKey }: ResultPicture,
): void {
  bindEndpoint(server, endpoint, async ({ account, params, request, reply }) =>
    withResultFiles(app, await getResult(app.db, account.id, params), async (known) => {
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
