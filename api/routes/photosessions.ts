import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import {
  getPhotosessionState,
  listPhotosessions,
  startPhotosession,
} from '#api/services/generations/starting/photosessions.ts';
import {
  getPhotosessionStatus,
  listPhotosessions as listPhotosessionsEndpoint,
  startPhotosession as startPhotosessionEndpoint,
} from '#shared/contract/photosessions.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { choosePhoto, parseFields, withPhotoForm } from './form-with-photo.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** Photo sessions of five frames: start, follow, list. */
export function addPhotosessionRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startPhotosessionEndpoint,
    ({ account, request, reply }) =>
      withPhotoForm(
        app,
        { accountId: account.id, request, reply, fileField: startPhotosessionEndpoint.file },
        async (form) => {
          const idempotencyKey = readIdempotencyKey(request);
          const { imageId } = parseFields(startPhotosessionEndpoint.fields, form);
          const photo = await choosePhoto(form, imageId);
          const { generationId } = await startPhotosession(app, {
            accountId: account.id,
            photo,
            agreedPrice: readAgreedPrice(request, 'stars'),
            idempotencyKey,
          });
          return { sessionId: generationId };
        },
      ),
    { limit: REQUEST_LIMITS.start },
  );
  bindEndpoint(server, getPhotosessionStatus, ({ account, params }) => getPhotosessionState(app, account, params.id));
  bindEndpoint(server, listPhotosessionsEndpoint, async ({ account, query }) => ({
    sessions: await listPhotosessions(app, account.id, query.limit),
  }));
}
