import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/device/device-owner.ts';
import { queueFile, readQueuedUpload } from '#pwa/features/uploads/upload-queue.ts';
import { sendUploadsOfOwner } from '#pwa/service-worker/uploads.ts';
import { PHOTO } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

const FILE = new File(['bytes'], 'платье.jpg', { type: 'image/jpeg' });

let userId = 100;
let answer: () => Response;
const fetched = vi.fn(async () => answer());

beforeAll(() => {
  vi.stubGlobal('indexedDB', createFakeIndexedDb());
  vi.stubGlobal('fetch', fetched);
});
beforeEach(async () => {
  userId += 1;
  fetched.mockClear();
  await queueFile(userId, 'video', FILE);
});
afterAll(() => vi.unstubAllGlobals());

test('a sync event sends the queued uploads of the device’s owner', async () => {
  answer = () => Response.json(PHOTO);
  await setDeviceOwner(userId);
  await sendUploadsOfOwner();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(await readQueuedUpload(userId, 'video')).toMatchObject({ file: null, photo: { id: PHOTO.id } });
  // Nothing is left to send.
  await sendUploadsOfOwner();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('without an answer the sync is repeated, and the photo stays queued', async () => {
  answer = () => Response.error();
  await setDeviceOwner(userId);
  await expect(sendUploadsOfOwner()).rejects.toThrow('cannot be reached');
  expect(await readQueuedUpload(userId, 'video')).toMatchObject({ file: { name: 'платье.jpg' }, tries: 1 });
});

test('a refusal by the server does not repeat the sync', async () => {
  answer = () => Response.json({ code: 'photo_too_small', message: 'Мало' }, { status: 400 });
  await setDeviceOwner(userId);
  await sendUploadsOfOwner();
  expect(await readQueuedUpload(userId, 'video')).toMatchObject({ failure: { message: 'Мало' } });
});

test('nothing is sent for another account or after a sign-out', async () => {
  answer = () => Response.json(PHOTO);
  await setDeviceOwner(userId + 1000);
  await sendUploadsOfOwner();
  await clearDeviceOwner();
  await sendUploadsOfOwner();
  expect(fetched).not.toHaveBeenCalled();
  expect(await readQueuedUpload(userId, 'video')).toMatchObject({ file: { name: 'платье.jpg' } });
});
