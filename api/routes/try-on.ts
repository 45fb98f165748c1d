import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { startTryOn } from '#api/services/generations/starting/try-on.ts';
import { startTryOn as startTryOnEndpoint } from '#shared/contract/try-on.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** A garment on another person. */
export function addTryOnRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startTryOnEndpoint,
    ({ account, body: { garmentImageId, personImageId, ...settings }, request }) =>
      startTryOn(app, {
        accountId: account.id,
        garmentId: garmentImageId,
        personId: personImageId,
        settings,
        agreedPrice: readAgreedPrice(request, 'stars'),
        idempotencyKey: readIdempotencyKey(request),
      }),
    { limit: REQUEST_LIMITS.start },
  );
}
