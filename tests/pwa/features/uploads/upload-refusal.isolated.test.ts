import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueFile, readQueuedUpload, sendQueuedUploads } from '#pwa/features/uploads/upload-queue.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

const FILE = new File(['new'], 'new.jpg', { type: 'image/jpeg' });
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('indexedDB', createFakeIndexedDb());
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 403, statusText: 'Forbidden' }));
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a queued photo that a proxy refuses in its own words shows our text', async () => {
  await queueFile(1000, 'video', FILE);
  await sendQueuedUploads(1000);
  expect(await readQueuedUpload(1000, 'video')).toMatchObject({
    failure: { message: 'Сервер не принял запрос. Попробуйте ещё раз' },
  });
});
