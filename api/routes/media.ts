import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { getOwnPhoto } from '#api/services/photos.ts';
import { getOwnResult } from '#api/services/results.ts';
import {
  streamPhotoPreview,
  streamPhotoThumbnail,
  streamResultPoster,
  streamResultThumbnail,
} from '#shared/contract/media.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendStoredFile } from './stream-file.ts';

/** The pictures of the interface: what somebody uploaded and the stills of what was made from it. */
export function addMediaRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, streamPhotoPreview, async ({ account, params, request, reply }) => {
    const photo = await getOwnPhoto(app.db, account.id, params.id);
    return sendPicture(app, request, reply, photo.previewKey);
  });
  bindEndpoint(server, streamPhotoThumbnail, async ({ account, params, request, reply }) => {
    const photo = await getOwnPhoto(app.db, account.id, params.id);
    return sendPicture(app, request, reply, photo.thumbnailKey);
  });
  bindEndpoint(server, streamResultPoster, async ({ account, params, request, reply }) => {
    const result = await getOwnResult(app.db, account.id, params);
    return sendPicture(app, request, reply, result.posterKey);
  });
  bindEndpoint(server, streamResultThumbnail, async ({ account, params, request, reply }) => {
    const result = await getOwnResult(app.db, account.id, params);
    return sendPicture(app, request, reply, result.thumbnailKey);
  });
}

function sendPicture(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<FastifyReply> {
  return sendStoredFile(app, {
    request,
    reply,
    key,
    contentType: key.endsWith('.webp') ? 'image/webp' : 'image/jpeg',
    // A picture never changes; the browser of its owner may keep it.
    cacheControl: 'private, max-age=31536000, immutable',
    allowRanges: false,
  });
}
