import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

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
        agreedStars: readAgreedPrice(request, 'stars'),
        key: readIdempotencyKey(request),
      }),
    { limit: REQUEST_LIMITS.start },
  );
}
