import { readDeviceOwner } from '#pwa/device/device-owner.ts';
import { sendBatchFile } from '#pwa/features/uploads/send-batch-file.ts';
import { sendBatchUploads } from '#pwa/features/uploads/send-batch-uploads.ts';
import { sendQueuedUploads } from '#pwa/features/uploads/upload-queue.ts';

/**
 * Sends queued uploads when the network is back, with or without an open page. Rejects while it cannot, so that the
 * browser fires the sync event again.
 */
export async function sendUploadsOfOwner(): Promise<void> {
  const owner = await readDeviceOwner();
  if (owner !== null && (await sendQueuedUploads(owner)) !== null) throw new Error('the server cannot be reached yet');
}

/** The same for the files of batches. */
export async function sendBatchUploadsOfOwner(): Promise<void> {
  const owner = await readDeviceOwner();
  const pause = owner === null ? null : await sendBatchUploads(owner, sendBatchFile);
  if (pause !== null) throw new Error('the server does not take files yet');
}
