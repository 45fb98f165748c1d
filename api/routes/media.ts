import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import type { Result } from '#api/services/generations/find-generation.ts';
import { getGarmentCrop } from '#api/services/generations/garment-crops.ts';
import { withResultFiles } from '#api/services/generations/lost-results.ts';
import {
  getOwnImage,
  getOwnResult,
  selectImageKey,
  selectPosterKey,
  selectThumbnailKey,
} from '#api/services/generations/results.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { streamGarmentCrop } from '#shared/contract/garment-checks.ts';
import {
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

/** The pictures of the interface: uploaded photos and stills of results. */
export function addMediaRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, streamPhotoPreview, async ({ account, params, request, reply }) => {
    const photo = await getOwnPhoto(app.db, account.id, params.id);
    return sendPicture(app, request, reply, photo.previewKey);
  });
  bindEndpoint(server, streamPhotoThumbnail, async ({ account, params, request, reply }) => {
    const photo = await getOwnPhoto(app.db, account.id, params.id);
    return sendPicture(app, request, reply, photo.thumbnailKey);
  });
  bindEndpoint(server, streamResultImage, async ({ account, params, request, reply }) => {
    const image = await getOwnImage(app.db, account.id, params);
    return sendResultPicture(app, request, reply, image, selectImageKey);
  });
  bindEndpoint(server, streamResultPoster, async ({ account, params, request, reply }) => {
    const result = await getOwnResult(app.db, account.id, params);
    return sendResultPicture(app, request, reply, result, selectPosterKey);
  });
  bindEndpoint(server, streamResultThumbnail, async ({ account, params, request, reply }) => {
    const result = await getOwnResult(app.db, account.id, params);
    return sendResultPicture(app, request, reply, result, selectThumbnailKey);
  });
  bindEndpoint(server, streamGarmentCrop, async ({ account, params, reply }) => {
    const crop = await getGarmentCrop(app, account.id, params);
    return reply.headers({ 'cache-control': REVALIDATED, 'content-type': 'image/webp' }).send(crop);
  });
}

/** Throws result_lost. */
function sendResultPicture(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  result: Result,
  selectKey: (app: AppContext, result: Result) => Promise<string>,
): Promise<FastifyReply> {
  return withResultFiles(app, result, async (known) => {
    const key = await selectKey(app, known);
    const isOriginal = key === known.originalKey;
    return sendPicture(app, request, reply, key, {
      mayLeave: isOriginal,
      expectedBytes: isOriginal ? known.bytes : undefined,
    });
  });
}

/** Answers with a stored picture. */
export function sendPicture(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { mayLeave = false, expectedBytes }: { mayLeave?: boolean; expectedBytes?: number | undefined } = {},
): Promise<FastifyReply> {
  return sendStoredFile(app, {
    request,
    reply,
    key,
    expectedBytes,
    contentType: CONTENT_TYPES[path.extname(key)] ?? 'application/octet-stream',
    cacheControl: REVALIDATED,
    allowRanges: false,
    mayLeave,
  });
}
