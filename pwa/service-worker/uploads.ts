import { readDeviceOwner } from '#pwa/lib/device-owner.ts';
import { sendQueuedUploads } from '#pwa/lib/upload-queue.ts';

/** The network is back: sends what waits, whether or not a page is open. Rejects while it cannot, so that it is woken again. */
export async function sendUploadsOfOwner(): Promise<void> {
  const owner = await readDeviceOwner();
  if (owner !== null && (await sendQueuedUploads(owner)) !== null) throw new Error('the server cannot be reached yet');
}
