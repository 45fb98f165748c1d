import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { getModelChangeState, startModelChange } from '#api/services/generations/starting/model-changes.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import {
  getModelChangeStatus,
  modelChangeFields,
  startModelChange as startModelChangeEndpoint,
} from '#shared/contract/model-changes.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { choosePhoto, parseFields, withPhotoForm } from './form-with-photo.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** Change of model and background: start and follow. */
export function addModelChangeRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startModelChangeEndpoint,
    ({ account, request, reply }) =>
      withPhotoForm(
        app,
        { accountId: account.id, request, reply, fileField: startModelChangeEndpoint.file },
        async (form) => {
          const idempotencyKey = readIdempotencyKey(request);
          const { imageId, modelImageUrl = null, ...choice } = parseFields(modelChangeFields, form);
          const photo = await choosePhoto(form, imageId);
          const { generationId } = await startModelChange(app, {
            accountId: account.id,
            photo,
            modelImageUrl,
            ...choice,
            agreedPrice: readAgreedPrice(request, 'stars'),
            idempotencyKey,
          });
          return getModelChangeState(app, { ...account, starBalance: await getBalance(app, account.id) }, generationId);
        },
      ),
    { limit: REQUEST_LIMITS.start },
  );
  bindEndpoint(server, getModelChangeStatus, ({ account, params }) =>
    getModelChangeState(app, account, params.requestId),
  );
}
