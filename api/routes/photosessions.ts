import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { listPhotosessions, presentPhotosession } from '#api/services/generations/tools/photosession-tool.ts';
import { getViewOfKind } from '#api/services/generations/tools/view.ts';
import {
  getPhotosessionStatus,
  listPhotosessions as listPhotosessionsEndpoint,
  startPhotosession,
} from '#shared/contract/photosessions.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { choosePhoto, parseFields, withPhotoForm } from './form-with-photo.ts';
import { readStart } from './request-headers.ts';

/** Photo sessions of five frames: start, follow, list. */
export function addPhotosessionRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startPhotosession,
    ({ account, request, reply }) =>
      withPhotoForm(app, { accountId: account.id, request, reply, fileField: startPhotosession.file }, (form) =>
        app.state.semaphores.requestsOfAccount.run(account.id, async () => {
          const { imageId } = parseFields(startPhotosession.fields, form);
          const { generationId } = await startGeneration(app, {
            account,
            kind: 'photosession',
            photos: { subject: await choosePhoto(form, imageId) },
            choice: {},
            ...readStart(request),
          });
          return { sessionId: generationId };
        }),
      ),
    { limit: REQUEST_LIMITS.start },
  );
  bindEndpoint(server, getPhotosessionStatus, async ({ account, params }) =>
    presentPhotosession(await getViewOfKind(app, account, params.id, 'photosession')),
  );
  bindEndpoint(server, listPhotosessionsEndpoint, async ({ account, query }) => ({
    sessions: await listPhotosessions(app, account.id, query.limit),
  }));
}
