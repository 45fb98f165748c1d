import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { watermarkedThumbnailKey } from '#api/services/generations/results/result-files.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import type { Result } from '#prisma/generated/client.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { refundOf } from '#shared/rules/tools.ts';
import { createGeneration, createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();

type Method = 'GET' | 'POST' | 'DELETE';
const call = (user: TestUser, url: string, method: Method = 'GET') => testApp.call(user, { method, url });
const newUser = () => registerUnverified(testApp);
const list = async (user: TestUser, query = '') => (await call(user, `/api/gallery${query}`)).json();
const idsOf = (answer: { images: { id: string }[] }) => answer.images.map(({ id }) => id);

/** Creates rows of one small file, because the list reads only rows. */
async function createRows(user: TestUser, count: number): Promise<Result[]> {
  await testApp.app.storage.put('results/a', Buffer.from('a'), 'image/jpeg');
  const generationId = await createGeneration(testApp.app, user.account.id, 'photosession');
  const rows: Result[] = [];
  for (let position = 0; position < count; position++) {
    const row = await testApp.app.db.result.create({
      data: {
        accountId: user.account.id,
        generationId,
        position,

        photoName: 'Фото',
        number: 1,
        kind: 'photosession',
        title: `Кадр ${position}`,
        originalKey: 'results/a',
        posterKey: 'results/a',
        thumbnailKey: 'results/a',
        contentType: 'image/jpeg',
        bytes: 1000,
        posterBytes: 1,
        thumbnailBytes: 1,
        width: 1200,
        height: 1600,
        startedAt: new Date(),
        made: 'photosession',
      },
    });
    rows.push(row);
  }
  return rows;
}

describe('the gallery', () => {
  test('shows images as the specification says, and what their owner may do with them at the moment', async () => {
    const user = await newUser();
    const size = { width: 900, height: 1200 };
    const frame = await createImageResult(testApp.app, user.account.id, { title: 'Платье, кадр 1', ...size });
    const change = await createImageResult(testApp.app, user.account.id, { kind: 'model_change', title: null });
    await createVideoResult(testApp.app, user.account.id);

    const free = await list(user);
    expect(free).toMatchObject({ userStatus: { canDownloadOriginals: false }, nextCursor: null });
    expect(idsOf(free)).toEqual([change.id, frame.id]);
    const address = `/media/results/${frame.generationId}/0`;
    expect(free.images[1]).toEqual({
      id: frame.id,
      generationId: frame.generationId,
      title: 'Платье, кадр 1',
      isRenamed: true,
      fileName: 'Платье__кадр_1.jpg',
      product: null,
      photoName: 'Фото',
      number: 1,
      position: 0,
      imageUrl: `${address}/image`,
      displayUrl: `${address}/poster`,
      thumbnailUrl: `${address}/thumbnail`,
      originalImageUrl: `${address}/image`,
      downloadUrl: `${address}/image`,
      createdAt: frame.createdAt.toISOString(),
      generationType: 'photo_generation',
      made: 'photosession',
      metadata: { photoshootSessionId: frame.generationId },
      canDownload: false,
      isOptimized: false,
      ...size,
      bytes: frame.bytes,
      hasWatermark: true,
      hasDrifted: false,
    });
    expect(free.images[0]).toMatchObject({
      title: 'Фото, Смена модели 1',
      generationType: 'model_change',
      metadata: {},
    });

    await createPayment(testApp.app.db, user.account.id);
    const paid = await list(user);
    expect(paid.userStatus).toEqual({ canDownloadOriginals: true });
    expect(paid.images[1]).toMatchObject({ canDownload: true, isOptimized: true, hasWatermark: false });
    // No marketplace takes an original of 600 x 800.
    expect(paid.images[0]).toMatchObject({ canDownload: true, isOptimized: false, width: 600 });
    expect((await list(await newUser())).images).toEqual([]);
  });

  test('is walked page by page in both directions, each image once', async () => {
    const user = await newUser();
    const frames = (await createRows(user, 5)).map(({ id }) => id);
    const changes: string[] = [];
    for (let count = 0; count < 2; count++) {
      changes.push((await createImageResult(testApp.app, user.account.id, { kind: 'model_change' })).id);
    }
    const all = [...frames, ...changes];
    for (const [query, expected] of [
      ['', all.toReversed()],
      ['&sort=oldest', all],
      ['&type=photo_generation', frames.toReversed()],
      ['&type=model_change&sort=oldest', changes],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(
          user,
          `?limit=2${query}${cursor ? `&cursor=${cursor}` : ''}`,
        );
        expect(page.images.length).toBeLessThanOrEqual(2);
        seen.push(...idsOf(page));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen, query).toEqual(expected);
    }
    expect((await list(user, '?limit=7')).nextCursor).toBeNull();
  });

  test('answers the newest 200 without a limit', async () => {
    const user = await newUser();
    const rows = await createRows(user, 201);
    const page = await list(user);
    expect(page.images).toHaveLength(200);
    expect(page.images[0].id).toBe(rows.at(-1)?.id);
    expect(idsOf(await list(user, `?cursor=${page.nextCursor}`))).toEqual([rows[0]?.id]);
  });

  test.each(['?cursor=1', '?limit=0', '?limit=201', '?limit=x', '?type=video', '?sort=up'])(
    'refuses %s',
    async (query) => {
      const answer = await call(await newUser(), `/api/gallery${query}`);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('the videos', () => {
  test('are walked page by page too', async () => {
    const user = await newUser();
    const videos: string[] = [];
    for (let count = 0; count < 3; count++) {
      videos.unshift((await createVideoResult(testApp.app, user.account.id)).generationId);
    }
    const whole = (await call(user, '/api/videos')).json();
    expect(whole).toMatchObject({ videos: videos.map((id) => ({ id })), nextCursor: null });
    const first = (await call(user, '/api/videos?limit=2')).json();
    const second = (await call(user, `/api/videos?limit=2&cursor=${first.nextCursor}`)).json();
    expect([...first.videos, ...second.videos]).toEqual(whole.videos);
    expect(second.nextCursor).toBeNull();
  });
});

describe('deleting', () => {
  test('an image hides it and closes its addresses at once; bringing it back opens them again', async () => {
    const user = await newUser();
    const { id, generationId } = await createImageResult(testApp.app, user.account.id);
    const links = ['image', 'poster', 'thumbnail'].map((size) => `/media/results/${generationId}/0/${size}`);
    await createPayment(testApp.app.db, user.account.id);
    links.push(`/api/gallery/archive?ids=${id}`, `/api/photosession/${generationId}/archive`);
    for (const link of links) expect((await call(user, link)).statusCode, link).toBe(200);

    const deleted = await call(user, `/api/gallery/${id}`, 'DELETE');
    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await list(user)).images).toEqual([]);
    for (const link of links) expect((await call(user, link)).statusCode, link).toBe(404);
    expect((await call(user, `/api/gallery/${id}/pick`, 'POST')).statusCode).toBe(404);
    expect((await call(user, `/api/gallery/${id}`, 'DELETE')).json()).toMatchObject({ code: 'image_not_found' });

    for (let time = 0; time < 2; time++) {
      const restored = await call(user, `/api/gallery/${id}/restore`, 'POST');
      expect([restored.statusCode, restored.body]).toEqual([204, '']);
    }
    expect(idsOf(await list(user))).toEqual([id]);
    for (const link of links) expect((await call(user, link)).statusCode, link).toBe(200);
  });

  test('a video works by the id that the interface knows it by', async () => {
    const user = await newUser();
    // Without a payment the copy with the logo would first have to be made.
    await createPayment(testApp.app.db, user.account.id);
    const { generationId } = await createVideoResult(testApp.app, user.account.id);
    const links = [
      `/api/video-proxy/${generationId}`,
      `/api/video-proxy-full/${generationId}`,
      `/api/videos/${generationId}/download-access`,
      `/api/analyze-video/${generationId}`,
      `/api/retrieve-video?generationId=${generationId}`,
      `/media/results/${generationId}/0/poster`,
      `/media/results/${generationId}/0/thumbnail`,
    ];
    for (const link of links) expect((await call(user, link)).statusCode, link).toBe(200);
    expect((await call(user, `/api/gallery/${generationId}`, 'DELETE')).statusCode).toBe(204);
    expect((await call(user, '/api/videos')).json().videos).toEqual([]);
    for (const link of links) expect((await call(user, link)).statusCode, link).toBe(404);
    expect((await call(user, `/api/gallery/${generationId}`, 'DELETE')).json()).toMatchObject({
      code: 'video_not_found',
      message: 'Видео не найдено',
    });
    expect((await call(user, `/api/gallery/${generationId}/restore`, 'POST')).statusCode).toBe(204);
    expect((await call(user, '/api/videos')).json().videos).toHaveLength(1);
    await testApp.app.db.result.deleteMany({ where: { generationId } });
    const gone = await call(user, `/api/gallery/${generationId}/restore`, 'POST');
    expect(gone.json()).toMatchObject({ code: 'video_not_found' });
  });

  test('is for good after 30 days: the clean-up removes the row with every file', async () => {
    const { app } = testApp;
    const user = await newUser();
    const old = await createImageResult(app, user.account.id);
    const recent = await createImageResult(app, user.account.id);
    const kept = await createImageResult(app, user.account.id);
    for (const size of ['image', 'poster', 'thumbnail']) {
      await call(user, `/media/results/${old.generationId}/0/${size}`);
    }
    const row = await app.db.result.findUniqueOrThrow({ where: { id: old.id } });
    const keys = [row.originalKey, row.watermarkedKey, row.posterKey, row.watermarkedPosterKey, row.thumbnailKey];
    keys.push(watermarkedThumbnailKey(row.thumbnailKey));
    expect(await app.storage.findSize(keys.at(-1) ?? '')).not.toBeNull();
    const hide = (id: string, age: number) =>
      app.db.result.update({ where: { id }, data: { deletedAt: new Date(Date.now() - age) } });
    await hide(old.id, DELETED_KEPT_MS + 60_000);
    await hide(recent.id, DELETED_KEPT_MS - 60_000);
    expect((await call(user, `/api/gallery/${old.id}/restore`, 'POST')).json()).toMatchObject({
      code: 'image_not_found',
    });

    await removeExpired(app);
    expect(await app.db.result.findUnique({ where: { id: old.id } })).toBeNull();
    for (const key of keys) {
      expect(key).not.toBeNull();
      expect(await app.storage.findSize(key ?? ''), String(key)).toBeNull();
    }
    expect((await call(user, `/api/gallery/${recent.id}/restore`, 'POST')).statusCode).toBe(204);
    for (const { originalKey } of [recent, kept]) expect(await app.storage.findSize(originalKey)).not.toBeNull();
  });
});

describe('the recently deleted', () => {
  const listDeleted = async (user: TestUser, query = '') => (await call(user, `/api/gallery/deleted${query}`)).json();

  test('are images and videos, the one deleted last first, each frame by itself, for thirty days', async () => {
    const { app } = testApp;
    const user = await newUser();
    const frames = await createRows(user, 2);
    const video = await createVideoResult(app, user.account.id);
    const kept = await createImageResult(app, user.account.id);
    const old = await createImageResult(app, user.account.id);
    for (const id of [video.generationId, frames[1]?.id ?? '', old.id]) {
      expect((await call(user, `/api/gallery/${id}`, 'DELETE')).statusCode).toBe(204);
    }
    const deletedAt = new Date(Date.now() - DELETED_KEPT_MS - 1);
    await app.db.result.update({ where: { id: old.id }, data: { deletedAt } });

    const { items, nextCursor } = await listDeleted(user);
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      { id: frames[1]?.id, kind: 'image', title: 'Кадр 1', made: 'photosession', isLost: false },
      { id: video.generationId, kind: 'video', made: 'video', isLost: false },
    ]);
    expect(items[0].pictureUrl).toBe(`/media/deleted/${frames[1]?.generationId}/1/poster`);
    expect(Date.parse(items[0].removedAt) - Date.parse(items[0].deletedAt)).toBe(DELETED_KEPT_MS);
    const first = await listDeleted(user, '?limit=1');
    expect(first.items).toEqual([items[0]]);
    const second = await listDeleted(user, `?limit=1&cursor=${first.nextCursor}`);
    expect(second).toEqual({ items: [items[1]], nextCursor: null });
    for (const cursor of ['1', 'x.y', `1.${'0'.repeat(40)}`]) {
      expect((await call(user, `/api/gallery/deleted?cursor=${cursor}`)).json().code).toBe('invalid_request');
    }

    // A frame comes back without the others.
    expect((await call(user, `/api/gallery/${frames[1]?.id}/restore`, 'POST')).statusCode).toBe(204);
    expect((await listDeleted(user)).items).toHaveLength(1);
    expect(idsOf(await list(user))).toEqual([kept.id, frames[1]?.id, frames[0]?.id]);
    expect((await listDeleted(await newUser())).items).toEqual([]);
  });

  test('show a free owner the logo, and a paying one the picture; visible results are not served there', async () => {
    const { app } = testApp;
    const user = await newUser();
    for (const result of [
      await createImageResult(app, user.account.id),
      await createVideoResult(app, user.account.id),
    ]) {
      const visible = `/media/results/${result.generationId}/0/poster`;
      const hidden = `/media/deleted/${result.generationId}/0/poster`;
      const marked = (await call(user, visible)).rawPayload;
      expect((await call(user, hidden)).statusCode).toBe(404);
      await app.db.result.update({ where: { id: result.id }, data: { deletedAt: new Date() } });
      expect((await call(user, hidden)).rawPayload.equals(marked)).toBe(true);
      await app.db.result.update({
        where: { id: result.id },
        data: { deletedAt: new Date(Date.now() - DELETED_KEPT_MS - 1) },
      });
      expect((await call(user, hidden)).statusCode).toBe(404);
      await app.db.result.update({ where: { id: result.id }, data: { deletedAt: new Date() } });
      await createPayment(app.db, user.account.id);
      const plain = await buffer(await app.storage.open(result.posterKey));
      expect((await call(user, hidden)).rawPayload.equals(plain)).toBe(true);
      expect(marked.equals(plain)).toBe(false);
      await app.db.payment.deleteMany({ where: { accountId: user.account.id } });
    }
  });

  test('can be removed at once with every file, and then nobody restores them', async () => {
    const { app } = testApp;
    const user = await newUser();
    const image = await createImageResult(app, user.account.id);
    const video = await createVideoResult(app, user.account.id);
    for (const { generationId } of [image, video]) await call(user, `/media/results/${generationId}/0/poster`);
    for (const [noun, id, { generationId }] of [
      ['image', image.id, image],
      ['video', video.generationId, video],
    ] as const) {
      // A visible result is first deleted.
      expect((await call(user, `/api/gallery/deleted/${id}`, 'DELETE')).json().code).toBe(`${noun}_not_found`);
      expect((await call(user, `/api/gallery/${id}`, 'DELETE')).statusCode).toBe(204);
      expect((await call(user, `/api/gallery/deleted/${id}`, 'DELETE')).statusCode).toBe(204);
      const left: string[] = [];
      for await (const { key } of app.storage.list(`results/${user.account.id}/${generationId}/`)) left.push(key);
      expect(left).toEqual([]);
      expect((await call(user, `/api/gallery/${id}/restore`, 'POST')).statusCode).toBe(404);
      expect((await call(user, `/api/gallery/deleted/${id}`, 'DELETE')).statusCode).toBe(404);
    }
    expect((await listDeleted(user)).items).toEqual([]);
    expect(await app.db.result.count({ where: { accountId: user.account.id } })).toBe(0);
  });

  test('of a storage that does not answer go with the next clean-up', async () => {
    const { app } = testApp;
    const user = await newUser();
    const { id, originalKey } = await createImageResult(app, user.account.id);
    await call(user, `/api/gallery/${id}`, 'DELETE');
    const remove = vi.spyOn(app.storage, 'remove').mockRejectedValue(new Error('the storage is away'));
    try {
      expect((await call(user, `/api/gallery/deleted/${id}`, 'DELETE')).statusCode).toBe(204);
    } finally {
      remove.mockRestore();
    }
    expect((await listDeleted(user)).items).toEqual([]);
    expect((await call(user, `/api/gallery/${id}/restore`, 'POST')).statusCode).toBe(404);
    await removeExpired(app);
    expect(await app.storage.findSize(originalKey)).toBeNull();
  });

  test('are no news: a deleted result counts as seen, and one that an administrator removed is not counted', async () => {
    const { app } = testApp;
    const user = await newUser();
    const unseen = async () => (await call(user, '/api/notifications/unseen')).json().unseen;
    const first = await createImageResult(app, user.account.id);
    const second = await createImageResult(app, user.account.id);
    expect(await unseen()).toBe(2);
    await call(user, `/api/gallery/${first.id}`, 'DELETE');
    expect(await unseen()).toBe(1);
    await app.db.result.update({ where: { id: second.id }, data: { deletedAt: new Date() } });
    expect(await unseen()).toBe(0);
  });

  test('are no news only when all frames of a session are deleted', async () => {
    const { app } = testApp;
    const user = await newUser();
    const news = async () => (await call(user, '/api/notifications/unseen')).json();
    const first = await createImageResult(app, user.account.id);
    const { generationId } = first;
    const second = await createImageResult(app, user.account.id, { generationId, position: 1 });
    await call(user, `/api/gallery/${first.id}`, 'DELETE');
    expect(await news()).toMatchObject({ unseen: 1, results: [{ generationId }] });
    await call(user, `/api/gallery/${second.id}`, 'DELETE');
    expect(await news()).toMatchObject({ unseen: 0, results: [] });
    const { seenAt } = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(seenAt).not.toBeNull();
  });
});

describe('picking an image', () => {
  test('makes a photo that shows what the image shows its owner at the moment', async () => {
    const { app } = testApp;
    const user = await newUser();
    const result = await createImageResult(app, user.account.id, { title: 'Платье' });
    const picked = await call(user, `/api/gallery/${result.id}/pick`, 'POST');
    expect(picked.statusCode).toBe(200);
    expect(picked.json()).toMatchObject({ name: 'Фото', width: 600, height: 800, type: 'image/jpeg' });

    const address = `/media/results/${result.generationId}/0`;
    const shown = async (url: string) => (await call(user, url)).rawPayload;
    for (const pay of [async () => undefined, () => createPayment(app.db, user.account.id)]) {
      await pay();
      expect(await shown(picked.json().previewUrl)).toEqual(await shown(`${address}/poster`));
      expect(await shown(picked.json().thumbnailUrl)).toEqual(await shown(`${address}/thumbnail`));
    }
  });

  test('is not for videos', async () => {
    const user = await newUser();
    const video = await createVideoResult(testApp.app, user.account.id);
    for (const id of [video.id, video.generationId]) {
      expect((await call(user, `/api/gallery/${id}/pick`, 'POST')).json()).toMatchObject({ code: 'image_not_found' });
    }
  });
});

test('frames that were removed for good while their session runs are paid nevertheless', async () => {
  const { app } = testApp;
  const owner = await newUser();
  const { id: accountId } = owner.account;
  const generationId = await createGeneration(app, accountId, 'photosession', 'generating');
  await app.db.generation.update({ where: { id: generationId }, data: { stars: 2 } });
  const hold = { accountId, generationId, kind: 'hold', delta: -2, causeKey: `hold:${generationId}` } as const;
  await app.db.starEntry.create({ data: hold });
  await app.db.account.update({ where: { id: accountId }, data: { starBalance: 0 } });
  for (let position = 0; position < 4; position++) {
    const { id } = await createImageResult(app, accountId, { generationId, position });
    await call(owner, `/api/gallery/${id}`, 'DELETE');
    expect((await call(owner, `/api/gallery/deleted/${id}`, 'DELETE')).statusCode).toBe(204);
  }
  const generation = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  expect(await endGeneration(app, generation, 'cancelled')).toBe('completed');
  expect((await app.db.account.findUniqueOrThrow({ where: { id: accountId } })).starBalance).toBe(
    refundOf('photosession', 4),
  );
});
