import { readDeviceOwner } from '#pwa/device/device-owner.ts';
import { sendQueuedUploads } from '#pwa/features/uploads/upload-queue.ts';

/**
 * Sends queued uploads when the network is back, with or without an open page. Rejects while it cannot, so that the
 * browser fires the sync event again.
 */
export async function sendUploadsOfOwner(): Promise<void> {
  const owner = await readDeviceOwner();
  if (owner !== null && (await sendQueuedUploads(owner)) !== null) throw new Error('the server cannot be reached yet');
}
