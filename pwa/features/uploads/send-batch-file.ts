import { sendBody } from '#pwa/features/consent/consented-start.ts';
import { uploadRowPhoto } from '#shared/contract/batches.ts';
import type { SendFile } from './send-batch-uploads.ts';
import { UPLOAD_TIMEOUT_MS, uploadFile } from './upload-file.ts';

/** Sends the file of a row from the worker, which has no XMLHttpRequest and no page that shows progress. */
export const sendBatchFile: SendFile = ({ batchId, rowId }, file) => {
  const form = new FormData();
  form.set(uploadRowPhoto.file, file);
  const params = { id: batchId, row: rowId };
  return sendBody(uploadRowPhoto, form, { headers: {}, timeoutMs: UPLOAD_TIMEOUT_MS, params });
};

/** Sends the file of a row from a page. */
export const sendBatchFileWithProgress: SendFile = ({ batchId, rowId }, file, options) =>
  uploadFile(uploadRowPhoto, { params: { id: batchId, row: rowId }, file }, options);
