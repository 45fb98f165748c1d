import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { presentModelChange } from '#api/services/generations/tools/model-change-tool.ts';
import { getViewOfKind } from '#api/services/generations/tools/view.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { getModelChangeStatus, modelChangeFields, startModelChange } from '#shared/contract/model-changes.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { choosePhoto, parseFields, withPhotoForm } from './form-with-photo.ts';
import { readStart } from './request-headers.ts';

/** Change of model and background: start and follow. */
export function addModelChangeRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startModelChange,
    ({ account, request, reply }) =>
      withPhotoForm(app, { accountId: account.id, request, reply, fileField: startModelChange.file }, (form) =>
        app.state.semaphores.requestsOfAccount.run(account.id, async () => {
          const { imageId, modelImageUrl = null, ...choice } = parseFields(modelChangeFields, form);
          const { generationId } = await startGeneration(app, {
            account,
            kind: 'model_change',
            photos: { subject: await choosePhoto(form, imageId) },
            choice: { modelImageUrl, ...choice },
            ...readStart(request),
          });
          const starBalance = await getBalance(app, account.id);
          const view = await getViewOfKind(app, account, generationId, 'model_change');
          return presentModelChange(view, { ...account, starBalance });
        }),
      ),
    { limit: REQUEST_LIMITS.start },
  );
  bindEndpoint(server, getModelChangeStatus, async ({ account, params }) =>
    presentModelChange(await getViewOfKind(app, account, params.requestId, 'model_change'), account),
  );
}
