import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readStart } from './request-headers.ts';

/** A garment on another person. */
export function addTryOnRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startTryOn,
    ({ account, body: { garmentImageId, personImageId, ...choice }, request }) =>
      startGeneration(app, {
        account,
        kind: 'try_on',
        photos: { subject: { imageId: garmentImageId }, person: { imageId: personImageId } },
        choice,
        ...readStart(request),
      }),
    { limit: REQUEST_LIMITS.start },
  );
}
