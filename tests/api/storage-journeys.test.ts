import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '#api/services/account-lifecycle/erasure.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { removeOrphanFiles } from '#api/services/maintenance/orphan-files.ts';
import { DELETION_GRACE_MS } from '#shared/rules/retention.ts';
import { createImageResult, createPayment, makeCopyOf } from '#tests/support/factories.ts';
import { startFakeS3 } from '#tests/support/fake-s3.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const s3 = await startFakeS3({ pageSize: 2 });
afterAll(() => s3.close());
const DAY_MS = 24 * 60 * 60_000;

const STORAGES = [
  {
    name: 'disk',
    env: {},
    async age({ config }: AppContext, key: string) {
      const time = new Date(Date.now() - 2 * DAY_MS);
      await utimes(path.join(config.dataDir, 'files', key), time, time);
    },
  },
  { name: 's3', env: s3.env, age: async (_app: AppContext, key: string) => s3.age(key, 2 * DAY_MS) },
];

describe.each(STORAGES)('with its files in the storage $name', ({ name, env, age }) => {
  const harness = useToolHarness({ env });
  const { call, finishVideo, readyUser, send, sessionOf, waitUntil } = harness;

  async function listKeys({ account }: TestUser): Promise<string[]> {
    const keys: string[] = [];
    for (const folder of ['photos', 'results']) {
      for await (const { key } of harness.testApp.app.storage.list(`${folder}/${account.id}/`)) keys.push(key);
    }
    return keys.sort();
  }
  const stored = async (key: string | null | undefined) => buffer(await harness.testApp.app.storage.open(key ?? ''));

  test('a person uploads, makes a video, sees it with the logo, pays, takes it along and is erased', async () => {
    const { app } = harness.testApp;
    expect(app.storage.name).toBe(name);
    const user = await readyUser();
    const videoId = await finishVideo(user);
    const result = await makeCopyOf(app, videoId);
    const free = await call(user, { url: `/api/video-proxy/${videoId}` });
    expect(free.rawPayload).toEqual(await stored(result.watermarkedKey));
    await createPayment(app.db, user.account.id);
    const original = await stored(result.originalKey);
    const part = await call(user, { url: `/api/video-proxy/${videoId}`, headers: { range: 'bytes=5-' } });
    expect([part.statusCode, part.rawPayload]).toEqual([206, original.subarray(5)]);
    expect((await call(user, { url: `/api/analyze-video/${videoId}` })).json().bytes).toBe(original.length);

    const copy = await readZip((await call(user, { url: '/api/account/export' })).rawPayload);
    const { masterKey } = await app.db.photo.findUniqueOrThrow({ where: { id: user.imageId } });
    for (const file of [original, await stored(masterKey)]) {
      expect([...copy.values()].some((content) => content.equals(file))).toBe(true);
    }

    const deletionAskedAt = new Date(Date.now() - DELETION_GRACE_MS - 1000);
    await app.db.account.update({ where: { id: user.account.id }, data: { deletionAskedAt } });
    expect(await listKeys(user)).not.toEqual([]);
    await eraseDueAccounts(app);
    expect(await listKeys(user)).toEqual([]);
  });

  test('a photo session is in the gallery and its archive, and the sweep takes only what nobody knows', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    await createPayment(app.db, user.account.id);
    const { sessionId } = (await send(user, '/api/photosession', [['image', harness.photoPart]])).json();
    harness.letEngineHandIn([0, 1, 2, 3, 4]);
    await waitUntil(async () => expect((await sessionOf(user, sessionId)).status).toBe('completed'));

    const { images } = (await call(user, { url: '/api/gallery' })).json();
    expect(images).toHaveLength(5);
    const frames = await Promise.all([0, 1, 2, 3, 4].map(harness.readPicture));
    const archive = await readZip((await call(user, { url: `/api/photosession/${sessionId}/archive` })).rawPayload);
    expect([...archive.values()]).toEqual(frames);
    for (const { id, imageUrl, thumbnailUrl } of images) {
      const payload = { imageId: id };
      const download = await call(user, { method: 'POST', url: '/api/download-image', payload });
      expect(download.rawPayload).toEqual((await call(user, { url: imageUrl })).rawPayload);
      expect((await call(user, { url: thumbnailUrl })).headers['content-type']).toBe('image/webp');
    }
    const { id: largeId } = await createImageResult(app, user.account.id);
    const picked = await call(user, { method: 'POST', url: `/api/gallery/${largeId}/pick` });
    expect(picked.statusCode).toBe(200);

    const known = await listKeys(user);
    const orphan = `results/${user.account.id}/${randomUUID()}/0/original.jpg`;
    await app.storage.put(orphan, Buffer.from('left behind'), 'image/jpeg');
    for (const key of [...known, orphan]) await age(app, key);
    await removeOrphanFiles(app);
    expect(await listKeys(user)).toEqual(known);
  });
});

test('no request to S3 carries a checksum of the SDK or its framing', () => {
  expect(s3.calls.length).toBeGreaterThan(50);
  const names = s3.calls.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => /trailer|checksum|decoded|^content-encoding$/.test(name))).toEqual([]);
});
