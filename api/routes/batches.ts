import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import {
  changeBatch,
  createBatch,
  deleteBatch,
  getBatch,
  listBatches,
  seeBatch,
} from '#api/services/batches/batches.ts';
import {
  pauseBatch,
  queueRow,
  redoRow,
  repeatRows,
  resumeBatch,
  reviewRows,
  startBatch,
  stopBatch,
} from '#api/services/batches/commands.ts';
import { addRows, attachPhoto, changeRow, keepDuplicates, removeRows, settleRow } from '#api/services/batches/rows.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import * as contract from '#shared/contract/batches.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { withPhotoForm } from './form-with-photo.ts';
import { readIdempotencyKey } from './request-headers.ts';

/** Batches: many photos with one choice of settings, and the line in which they are made. */
export function addBatchRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.batches };
  bindEndpoint(server, contract.listBatches, ({ account, query }) => listBatches(app, account, query), limit);
  bindEndpoint(server, contract.createBatch, ({ account, body }) => createBatch(app, account, body), limit);
  bindEndpoint(server, contract.getBatch, ({ account, params }) => getBatch(app, account, params.id));
  bindEndpoint(
    server,
    contract.changeBatch,
    ({ account, params, body }) => changeBatch(app, account, params.id, body),
    limit,
  );
  bindEndpoint(server, contract.deleteBatch, ({ account, params }) => deleteBatch(app, account.id, params.id));
  bindEndpoint(server, contract.seeBatch, ({ account, params }) => seeBatch(app, account.id, params.id));
  addRowRoutes(server, app);
  addCommandRoutes(server, app);
}

function addRowRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.batches };
  bindEndpoint(
    server,
    contract.addRows,
    ({ account, params, body }) => addRows(app, account, params.id, body.rows),
    limit,
  );
  bindEndpoint(
    server,
    contract.uploadRowPhoto,
    ({ account, params, request, reply }) =>
      withPhotoForm(app, { accountId: account.id, request, reply, fileField: contract.uploadRowPhoto.file }, (form) => {
        if (!form.photo) throw new AppError('photo_missing');
        return attachPhoto(app, account, { batchId: params.id, rowId: params.row }, form.photo);
      }),
    { limit: REQUEST_LIMITS.upload },
  );
  bindEndpoint(
    server,
    contract.settleRow,
    ({ account, params, body }) => settleRow(app, account, { batchId: params.id, rowId: params.row }, body),
    limit,
  );
  bindEndpoint(
    server,
    contract.changeRow,
    ({ account, params, body }) => changeRow(app, account, { batchId: params.id, rowId: params.row }, body),
    limit,
  );
  bindEndpoint(
    server,
    contract.keepDuplicates,
    ({ account, params, body }) => keepDuplicates(app, account, params.id, body.rowIds),
    limit,
  );
  bindEndpoint(
    server,
    contract.removeRows,
    ({ account, params, body }) => removeRows(app, account, params.id, body.rowIds),
    limit,
  );
}

function addCommandRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.batches };
  bindEndpoint(
    server,
    contract.startBatch,
    ({ account, params, body, request }) =>
      startBatch(app, account, params.id, { ...body, key: readIdempotencyKey(request) }),
    limit,
  );
  bindEndpoint(server, contract.pauseBatch, ({ account, params }) => pauseBatch(app, account, params.id), limit);
  bindEndpoint(
    server,
    contract.resumeBatch,
    ({ account, params, body }) => resumeBatch(app, account, params.id, body),
    limit,
  );
  bindEndpoint(server, contract.stopBatch, ({ account, params }) => stopBatch(app, account, params.id), limit);
  bindEndpoint(
    server,
    contract.repeatRows,
    ({ account, params, body, request }) =>
      repeatRows(app, account, params.id, { ...body, key: readIdempotencyKey(request) }),
    limit,
  );
  bindEndpoint(
    server,
    contract.redoRow,
    ({ account, params, body, request }) =>
      redoRow(app, account, { batchId: params.id, rowId: params.row }, { ...body, key: readIdempotencyKey(request) }),
    limit,
  );
  bindEndpoint(
    server,
    contract.reviewRows,
    ({ account, params, body }) => reviewRows(app, account, params.id, body.decisions),
    limit,
  );
  bindEndpoint(server, contract.queueRow, ({ account, body }) => queueRow(app, account, body), limit);
}
