import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { deletePhoto, listOwnPhotos } from '#api/services/generations/results/own-photos.ts';
import { findKnownPhotos, getOwnPhoto, keepReceivedPhoto, presentWithProduct } from '#api/services/photos/photos.ts';
import { findPhotoSubject } from '#api/services/photos/subjects.ts';
import {
  deletePhoto as deletePhotoEndpoint,
  findKnownPhotos as findKnownPhotosEndpoint,
  getPhoto,
  listPhotos,
} from '#shared/contract/photos.ts';
import { getPhotoSubject, uploadPhoto } from '#shared/contract/uploads.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { withPhotoForm } from './form-with-photo.ts';
import { readIdempotencyKey } from './request-headers.ts';

/** Photos: upload, list, deletion. */
export function addUploadRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    uploadPhoto,
    ({ account, query, request, reply }) =>
      withPhotoForm(app, { accountId: account.id, request, reply, fileField: uploadPhoto.file }, async ({ photo }) => {
        if (!photo) throw new AppError('photo_missing');
        const received = { ...photo, folder: query.folder };
        return presentWithProduct(
          app,
          await keepReceivedPhoto(app, account.id, received, { idempotencyKey: readIdempotencyKey(request) }),
        );
      }),
    { limit: REQUEST_LIMITS.upload },
  );
  bindEndpoint(server, listPhotos, ({ account, query }) => listOwnPhotos(app, account.id, query), {
    searchLimit: REQUEST_LIMITS.search,
  });
  bindEndpoint(
    server,
    findKnownPhotosEndpoint,
    async ({ account, body }) => ({ known: await findKnownPhotos(app, account.id, body.hashes) }),
    { limit: REQUEST_LIMITS.batches },
  );
  bindEndpoint(server, deletePhotoEndpoint, ({ account, params }) => deletePhoto(app, account.id, params.id));
  bindEndpoint(server, getPhoto, async ({ account, params }) =>
    presentWithProduct(app, await getOwnPhoto(app.db, account.id, params.id)),
  );
  bindEndpoint(server, getPhotoSubject, async ({ account, params }) => ({
    subject: await findPhotoSubject(app, await getOwnPhoto(app.db, account.id, params.id)),
  }));
}
