import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGeneration, createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let free: TestUser;
let paid: TestUser;
let folder: string;

beforeAll(async () => {
  free = await registerUnverified(testApp);
  paid = await registerUnverified(testApp);
  await createPayment(testApp.app.db, paid.account.id);
  folder = await mkdtemp(path.join(tmpdir(), 'podium-downloads-'));
});
afterAll(() => rm(folder, { recursive: true }));

const get = (user: TestUser, url: string, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.server.inject({ method, url, headers: { cookie: user.cookie } });
const download = (user: TestUser, payload: object) =>
  testApp.server.inject({ method: 'POST', url: '/api/download-image', headers: { cookie: user.cookie }, payload });
/** Matches «Подиум_Галерея_2026-11-22_9f3a1c07.zip» in a header. */
const ARCHIVE_NAME = new RegExp(
  `filename\\*=UTF-8''${encodeURIComponent('Подиум_Галерея')}_\\d{4}-\\d\\d-\\d\\d_[0-9a-f]{8}\\.zip$`,
);
const read = async (key: string): Promise<Buffer> => buffer(await testApp.app.storage.open(key));

describe('downloading an image', () => {
  test('gives a paid owner the original under its title, by id or by any address of it', async () => {
    const result = await createImageResult(testApp.app, paid.account.id, { title: 'Платье «Лето»' });
    const original = await read(result.originalKey);
    const base = `/media/results/${result.generationId}/0`;
    for (const wanted of [
      { imageId: result.id },
      { url: `${base}/image` },
      { url: `${base}/poster` },
      { url: `${testApp.app.config.publicUrl}${base}/thumbnail?size=small#top` },
    ]) {
      const answer = await download(paid, wanted);
      expect(answer.statusCode, JSON.stringify(wanted)).toBe(200);
      expect(answer.rawPayload.equals(original)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'private, no-store',
        'content-length': String(original.length),
        'content-disposition': `attachment; filename="Plate__Leto_.jpg"; filename*=UTF-8''${encodeURIComponent('Платье__Лето_.jpg')}`,
      });
    }
  });

  test('tells a free owner what a payment would unlock, without a byte of the original', async () => {
    const result = await createImageResult(testApp.app, free.account.id);
    for (const wanted of [{ imageId: result.id }, { url: `/media/results/${result.generationId}/0/image` }]) {
      const answer = await download(free, wanted);
      expect(answer.statusCode).toBe(402);
      expect(answer.json()).toEqual({
        code: 'premium_required',
        message: expect.any(String),
        upgradeMessage: 'Скачивание оригинальных изображений доступно только платным пользователям',
      });
    }
  });

  test('that is none, that is a video or that was deleted is not found', async () => {
    const own = await createImageResult(testApp.app, paid.account.id);
    const video = await createVideoResult(testApp.app, paid.account.id);
    const wanted = [
      { imageId: video.id },
      { url: `/media/results/${own.generationId}/7/image` },
      { url: `/media/results/${video.generationId}/0/poster` },
    ];
    for (const each of wanted) expect((await download(paid, each)).statusCode, JSON.stringify(each)).toBe(404);
    await testApp.app.db.result.update({ where: { id: own.id }, data: { deletedAt: new Date() } });
    expect((await download(paid, { imageId: own.id })).json()).toMatchObject({ code: 'image_not_found' });
  });

  test('of the catalogue is open to everybody who is signed in', async () => {
    const [[address, picture] = []] = testApp.app.catalogue.files;
    const answer = await download(free, { url: address });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, picture?.contentType]);
    expect(answer.rawPayload.equals(picture?.content ?? Buffer.alloc(0))).toBe(true);
  });

  test('by a foreign address is refused and nothing is fetched', async () => {
    let connections = 0;
    const listener = net.createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as net.AddressInfo;
    const fetches = vi.spyOn(globalThis, 'fetch');
    const result = await createImageResult(testApp.app, paid.account.id);
    const image = `/media/results/${result.generationId}/0/image`;
    const { host } = new URL(testApp.app.config.publicUrl);
    const addresses = [
      `http://127.0.0.1:${port}/a.jpg`,
      `http://127.0.0.1:${port}${image}`,
      `//127.0.0.1:${port}${image}`,
      `\\\\127.0.0.1:${port}${image}`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://2130706433:${port}/`,
      `https://${host}${image}`,
      `http://${host}@127.0.0.1:${port}${image}`,
      `http://user:password@${host}${image}`,
      `http://${host}.example.com${image}`,
      'http://169.254.169.254/latest/meta-data',
      'https://example.com/a.jpg',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      `blob:http://${host}/1`,
      '/api/gallery',
      '/media/photos/1/preview',
      '/media/results/../../secrets/session-secret',
      `/media/results/${result.generationId}/0/original`,
      `${image}/..%2f..%2foriginal.jpg`,
      '/attached_assets/woman/nobody.webp',
      '/backgrounds/../../package.json',
      'http://',
      ' ',
    ];
    for (const url of addresses) {
      const answer = await download(paid, { url });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 400, 'image_url_foreign']);
    }
    expect(connections).toBe(0);
    expect(fetches).not.toHaveBeenCalled();
    fetches.mockRestore();
    await new Promise((resolve) => listener.close(resolve));
  });

  test.each([{}, { imageId: '' }, { url: 1 }, { url: 'x'.repeat(2001) }])('refuses the body %j', async (payload) => {
    expect((await download(paid, payload)).statusCode).toBe(400);
  });
});

describe('an archive', () => {
  test('holds the chosen originals, images and videos, each under a name of its own', async () => {
    const first = await createImageResult(testApp.app, paid.account.id, { title: 'Платье: красное' });
    const second = await createImageResult(testApp.app, paid.account.id, { title: 'платье: красное' });
    const video = await createVideoResult(testApp.app, paid.account.id, { title: 'Платье_Дефиле' });
    const ids = [first.id, second.id, video.generationId, first.id].join(',');
    const answer = await get(paid, `/api/gallery/archive?ids=${ids}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': expect.stringMatching(ARCHIVE_NAME),
      'cache-control': 'private, no-store',
    });
    const files = await readZip(answer.rawPayload);
    const expected = new Map([
      ['Платье__красное.jpg', await read(first.originalKey)],
      ['платье__красное_2.jpg', await read(second.originalKey)],
      ['Платье_Дефиле.mp4', await read(video.originalKey)],
    ]);
    expect([...files.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [name, content] of expected) expect(files.get(name)?.equals(content), name).toBe(true);
    const head = await get(paid, `/api/gallery/archive?ids=${ids}`, 'HEAD');
    expect([head.headers['content-length'], head.body]).toEqual([String(answer.rawPayload.length), '']);
  });

  test('of a photo session holds its frames in order, without deleted ones', async () => {
    const { app } = testApp;
    const sessionId = await createGeneration(app, paid.account.id, 'photosession');
    const frames = [];
    for (let position = 0; position < 3; position++) {
      const options = { generationId: sessionId, position, title: `Поза ${position + 1}`, width: 300, height: 400 };
      frames.push(await createImageResult(app, paid.account.id, options));
    }
    await app.db.result.update({ where: { id: frames[1]?.id ?? '' }, data: { deletedAt: new Date() } });
    const answer = await get(paid, `/api/photosession/${sessionId}/archive`);
    expect([...(await readZip(answer.rawPayload)).keys()].sort()).toEqual(['Поза_1.jpg', 'Поза_3.jpg']);
    expect(answer.headers['content-disposition']).toContain(encodeURIComponent('Фото_Фотосессия_1.zip'));
  });

  test('opens one file at a time, when its turn comes', async () => {
    const ids = [];
    for (let count = 0; count < 4; count++) {
      ids.push((await createImageResult(testApp.app, paid.account.id, { width: 1500, height: 2000 })).id);
    }
    const { storage } = testApp.app;
    const open = storage.open.bind(storage);
    let openNow = 0;
    let mostOpen = 0;
    const spy = vi.spyOn(storage, 'open').mockImplementation(async (...args) => {
      const stream = await open(...args);
      mostOpen = Math.max(mostOpen, ++openNow);
      return stream.once('close', () => openNow--);
    });
    expect((await get(paid, `/api/gallery/archive?ids=${ids}`)).statusCode).toBe(200);
    expect(spy).toHaveBeenCalledTimes(4);
    expect(mostOpen).toBeLessThanOrEqual(2);
    spy.mockRestore();
  });

  test('closes its files when the caller goes away in the middle', async () => {
    const { storage } = testApp.app;
    const image = await createImageResult(testApp.app, paid.account.id);
    await storage.put(image.originalKey, Buffer.alloc(20_000_000, 7), 'image/jpeg');
    await testApp.app.db.result.update({ where: { id: image.id }, data: { bytes: 20_000_000 } });
    const open = storage.open.bind(storage);
    const closed = vi.fn();
    const spy = vi.spyOn(storage, 'open').mockImplementation(async (...args) => {
      const stream = await open(...args);
      return stream.once('close', closed);
    });
    await testApp.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = testApp.server.server.address() as net.AddressInfo;
    const hangUp = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/api/gallery/archive?ids=${image.id}`, {
      headers: { cookie: paid.cookie },
      signal: hangUp.signal,
    });
    await answer.body?.getReader().read();
    expect(closed).not.toHaveBeenCalled();
    hangUp.abort();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), 60_000);
    spy.mockRestore();
  });

  test('is for paid accounts, and has one to fifty files', async () => {
    const image = await createImageResult(testApp.app, free.account.id);
    for (const url of [
      `/api/gallery/archive?ids=${image.id}`,
      `/api/photosession/${image.generationId}/archive`,
      `/api/results/${image.id}/export?fix=pad_3_4`,
    ]) {
      const answer = await get(free, url);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 402, 'premium_required']);
      expect(answer.json().upgradeMessage).toEqual(expect.any(String));
    }
    for (const ids of ['', ',', Array(51).fill(image.id).join(',')]) {
      expect((await get(paid, `/api/gallery/archive?ids=${ids}`)).statusCode).toBe(400);
    }
  });
});

describe('an export', () => {
  const exportOf = (id: string, fix: string) => get(paid, `/api/results/${id}/export?fix=${fix}`);
  /** The work folder goes when the answer has been sent, which its receiver may notice first. */
  const untilRemoved = () =>
    until(async () => expect(await readdir(path.join(testApp.app.config.dataDir, 'work'))).toEqual([]));

  test('of a square picture is 3:4, the middle of it or all of it on its own ground', async () => {
    const image = await createImageResult(testApp.app, paid.account.id, { title: 'Платье', width: 1200, height: 1200 });
    const cropped = await exportOf(image.id, 'crop_3_4');
    expect(await sharp(cropped.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 900, height: 1200 });
    expect(cropped.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(cropped.rawPayload.length),
      'content-disposition': expect.stringContaining(encodeURIComponent('Платье-crop-3-4.jpg')),
    });
    const padded = await exportOf(image.id, 'pad_3_4');
    expect(await sharp(padded.rawPayload).metadata()).toMatchObject({ width: 1200, height: 1600 });
    const margin = await sharp(padded.rawPayload).extract({ left: 0, top: 0, width: 1200, height: 150 }).toBuffer();
    const { channels } = await sharp(margin).stats();
    // The drawn ground is white.
    for (const { mean } of channels) expect(mean).toBeGreaterThan(248);
    await untilRemoved();
  });

  test('of a short video is its loop, of ten seconds at least', async () => {
    const video = await createVideoResult(testApp.app, paid.account.id, { seconds: 4 });
    const answer = await exportOf(video.generationId, 'loop_10s');
    expect(answer.headers).toMatchObject({ 'content-type': 'video/mp4' });
    const file = path.join(folder, 'looped.mp4');
    await writeFile(file, answer.rawPayload);
    const looped = { width: 180, height: 240, durationSeconds: expect.closeTo(12, 2) };
    expect(await testApp.app.videoEncoder.probe(file)).toMatchObject(looped);
    await untilRemoved();
  });

  test('of a tall video is 3:4', async () => {
    const video = await createVideoResult(testApp.app, paid.account.id, { width: 180, height: 320 });
    for (const [fix, size] of [
      ['crop_3_4', { width: 180, height: 240 }],
      ['pad_3_4', { width: 240, height: 320 }],
    ] as const) {
      const file = path.join(folder, `${fix}.mp4`);
      await writeFile(file, (await exportOf(video.generationId, fix)).rawPayload);
      expect(await testApp.app.videoEncoder.probe(file)).toMatchObject(size);
    }
  });

  test('of a file that is too large is a smaller one', async () => {
    const image = await createImageResult(testApp.app, paid.account.id, { bytes: 40_000_000 });
    const answer = await exportOf(image.id, 'recompress');
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 800 });
  });

  test('that would change nothing is refused', async () => {
    const image = await createImageResult(testApp.app, paid.account.id);
    const video = await createVideoResult(testApp.app, paid.account.id, { seconds: 8 });
    for (const [id, fix] of [
      [image.id, 'crop_3_4'],
      [image.id, 'pad_3_4'],
      [image.id, 'loop_10s'],
      [image.id, 'recompress'],
      [video.generationId, 'loop_10s'],
      [video.generationId, 'recompress'],
    ] as const) {
      const answer = await exportOf(id, fix);
      expect([fix, answer.statusCode, answer.json().code]).toEqual([fix, 400, 'export_fix_unsuitable']);
    }
    expect((await exportOf(image.id, 'rotate')).statusCode).toBe(400);
  });

  test('leaves nothing behind when it goes wrong', async () => {
    const video = await createVideoResult(testApp.app, paid.account.id, { seconds: 2 });
    const content = Buffer.from('no video any more');
    await testApp.app.storage.put(video.originalKey, content, 'video/mp4');
    await testApp.app.db.result.update({ where: { id: video.id }, data: { bytes: content.length } });
    expect((await exportOf(video.generationId, 'loop_10s')).statusCode).toBe(500);
    await untilRemoved();
  });
});
