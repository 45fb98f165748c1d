import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ERRORS } from '#shared/contract/errors.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import { drawJpeg, drawJpegOfSize, drawPhoto, REFUSED_PHOTOS, readTiledHeic } from '#tests/fixtures/photo-files.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp({ onLogLine: (line) => logLines.push(line) });
let origin: string;
let user: TestUser;
const logLines: string[] = [];

beforeAll(async () => {
  origin = await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  user = await registerVerified(testApp);
});
beforeEach(() => logLines.splice(0));

function formOf(content: Buffer, name: string, field = 'image'): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), name);
  return form;
}

function post(body: FormData | string | undefined, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${origin}/api/upload`, {
    method: 'POST',
    headers: { cookie: user.cookie, ...headers },
    body: body ?? null,
  });
}

async function countEverything() {
  const count = async (folder: string) => {
    const found = await readdir(path.join(testApp.app.config.dataDir, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return found.filter((entry) => entry.isFile()).length;
  };
  return { rows: await testApp.app.db.photo.count(), files: await count('files'), work: await count('work') };
}

/** A folder may still be on its way out when its request is answered already. */
const QUIET = { timeout: 60_000 };

/** Counts when no upload of another test is being cleaned up any more. */
async function countInQuiet() {
  await expect.poll(countEverything, QUIET).toMatchObject({ work: 0 });
  return countEverything();
}

/** Expects that the request is refused with this code and that nothing is stored. Returns the body. */
async function expectRefusal(
  answer: () => Promise<Response>,
  code: keyof typeof ERRORS,
): Promise<Record<string, unknown>> {
  const before = await countInQuiet();
  const response = await answer();
  const body = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, code: body.code }).toEqual({ status: ERRORS[code].status, code });
  expect(body.message).toMatch(/[а-яё]/i);
  await expect.poll(countEverything, QUIET).toEqual(before);
  return body;
}

function hasServerError(): boolean {
  return logLines.some((line) => JSON.parse(line).level === 'error');
}

describe('POST /api/upload', () => {
  test('answers with the stored photo, whose pictures can be fetched', async () => {
    const sent = await drawJpeg(900, 1200);
    const response = await post(formOf(sent, 'Платье.jpg'));
    expect(response.status).toBe(200);
    const photo = z.strictObject(uploadedPhoto.shape).parse(await response.json());
    expect(photo).toMatchObject({
      name: 'Платье.jpg',
      width: 900,
      height: 1200,
      size: sent.length,
      type: 'image/jpeg',
    });
    const preview = await fetch(origin + photo.previewUrl, { headers: { cookie: user.cookie } });
    expect(preview.headers.get('content-type')).toBe('image/webp');
    await preview.arrayBuffer();
  });

  test.each([
    ['HEIC', 'IMG_0001.HEIC', readTiledHeic, { width: 480, height: 640, type: 'image/heic' }],
    ['HEIC under a wrong name', 'photo.jpg', readTiledHeic, { width: 480, height: 640, type: 'image/heic' }],
    ['AVIF', 'x.jpg_960x960', drawAvif, { width: 400, height: 500, type: 'image/avif' }],
    ['WebP without an extension', 'photo', drawWebp, { width: 400, height: 500, type: 'image/webp' }],
  ])('takes %s', async (_what, name, draw, shown) => {
    const response = await post(formOf(await draw(), name));
    expect(await response.json()).toMatchObject(shown);
  });

  test('keeps a name as its owner sees it: composed letters of a Mac, and quotation marks', async () => {
    const name = 'Платье «Зайка» "Ёлка" й.jpg';
    const response = await post(formOf(await drawJpeg(400, 400), name.normalize('NFD')));
    expect(await response.json()).toMatchObject({ name });
  });

  test('takes 10 MB to the byte, and further fields beside the photo', async () => {
    const form = new FormData();
    form.append('comment', 'before');
    form.append('image', new Blob([new Uint8Array(await drawJpegOfSize(PHOTO_MAX_BYTES))]), 'big.jpg');
    form.append('more', 'after');
    expect(await (await post(form)).json()).toMatchObject({ size: PHOTO_MAX_BYTES });
  });

  test.each(REFUSED_PHOTOS)('refuses $what: $code', async ({ draw, name, code }) => {
    const form = formOf(await draw(), name);
    await expectRefusal(() => post(form), code);
    expect(hasServerError()).toBe(false);
  });

  test('refuses another photo under the key of the first', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [sent, other] = [await drawJpeg(400, 400), await drawJpeg(400, 500)];
    const first = await (await post(formOf(sent, 'a.jpg'), headers)).json();
    expect(await (await post(formOf(sent, 'a.jpg'), headers)).json()).toEqual(first);
    await expectRefusal(() => post(formOf(other, 'a.jpg'), headers), 'idempotency_key_reused');
  });

  test('refuses another field name, a form without a file and a body that is no form', async () => {
    const jpeg = await drawJpeg(400, 400);
    await expectRefusal(() => post(formOf(jpeg, 'photo.jpg', 'file')), 'photo_missing');
    const withText = new FormData();
    withText.append('image', 'not a file');
    await expectRefusal(() => post(withText), 'photo_missing');
    await expectRefusal(() => post(undefined), 'photo_missing');
    await expectRefusal(() => post('{}', { 'content-type': 'application/json' }), 'photo_missing');
  });

  test('refuses two photos in one form', async () => {
    const jpeg = await drawJpeg(400, 400);
    const form = formOf(jpeg, 'one.jpg');
    form.append('image', new Blob([new Uint8Array(jpeg)]), 'two.jpg');
    expect(await expectRefusal(() => post(form), 'invalid_request')).toMatchObject({
      fields: { image: 'Загружайте фото по одному' },
    });
  });

  test.each([
    ['without a boundary', 'multipart/form-data', 'anything'],
    [
      'that ends too early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nabc',
    ],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
  ])('refuses a form %s', async (_what, contentType, body) => {
    const response = await post(body, { 'content-type': contentType });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^(invalid_request|photo_missing)$/) });
    expect(hasServerError()).toBe(false);
  });

  test('checks the session before it reads the file', async () => {
    const response = await expectSilentRequest({});
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toContain('"code":"unauthorized"');
  });

  test('answers a file far beyond the limit instead of cutting its sender off', async () => {
    const form = formOf(Buffer.alloc(18 * 1024 * 1024, 1), 'huge.jpg');
    await expectRefusal(() => post(form), 'photo_too_large');
  });

  test('stops reading a file without end', async () => {
    const socket = await openUpload({ cookie: user.cookie, 'content-length': '1000000000' });
    let sentMegabytes = 0;
    // The server closes the connection while we send. The error that we see differs.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
    while (!socket.destroyed && sentMegabytes < 200) {
      sentMegabytes++;
      if (socket.write(Buffer.alloc(1024 * 1024))) continue;
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    expect(sentMegabytes).toBeLessThan(60);
    await expect.poll(countEverything, { timeout: 60_000 }).toMatchObject({ work: 0 });
  });

  test('an upload that is broken off leaves nothing and is no error of ours', async () => {
    const before = await countInQuiet();
    const jpeg = await drawJpegOfSize(3_000_000);
    const countBegun = () => logLines.filter((line) => line.includes('starting multipart parsing')).length;
    // The server may never see the first upload, which is broken off at once. It has begun to read the others.
    for (const [share, waitMs] of [
      [0.5, null],
      [0, 50],
      [0.5, 0],
      [0.99, 10],
      [0.99, 50],
    ] as const) {
      const begun = countBegun();
      const socket = await openUpload({ cookie: user.cookie, 'content-length': '4000000' });
      socket.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
      socket.write(jpeg.subarray(0, Math.floor(jpeg.length * share)));
      if (waitMs !== null) {
        await expect.poll(countBegun, { timeout: 60_000 }).toBeGreaterThan(begun);
        await wait(waitMs);
      }
      socket.destroy();
    }
    const work = path.join(testApp.app.config.dataDir, 'work');
    await expect.poll(() => readdir(work), QUIET).toEqual([]);
    await expect.poll(countEverything, QUIET).toEqual(before);
    expect(hasServerError()).toBe(false);
  });

  test('sixty in a minute are taken, and past the limit the answer says when to come back', async () => {
    // The limit counts per minute. The clock stands still, because a busy machine may take longer than that.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const other = await registerVerified(testApp);
    const answers: Response[] = [];
    for (let i = 0; i < 100; i++) answers.push(await post(undefined, { cookie: other.cookie }));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(400));
    expect(statuses.at(-1)).toBe(429);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect(post(undefined)).resolves.toMatchObject({ status: 400 });
  });
});

const drawAvif = () => drawPhoto(400, 500).avif({ effort: 0 }).toBuffer();
const drawWebp = () => drawPhoto(400, 500).webp().toBuffer();

async function openUpload(headers: Record<string, string>): Promise<net.Socket> {
  const { port, hostname } = new URL(origin);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'localhost', 'content-type': 'multipart/form-data; boundary=b', ...headers });
  socket.write(`POST /api/upload HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return socket;
}

/** Announces a large file, sends nothing of it and returns the answer. */
async function expectSilentRequest(headers: Record<string, string>): Promise<string> {
  const socket = await openUpload({ ...headers, 'content-length': '9000000' });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  while (!received.includes('}')) await once(socket, 'data');
  socket.destroy();
  return received;
}

test('forms of one account that do not end are on the disk six at a time, and others are served', async () => {
  await countInQuiet();
  const other = await registerVerified(testApp);
  const photo = { content: await drawJpeg(300, 400), name: 'a.jpg', type: 'image/jpeg' };
  const { body, headers } = await encodeFileForm('image', photo);
  const upload = ({ cookie }: TestUser, payload: Readable | Buffer) =>
    testApp.server.inject({ method: 'POST', url: '/api/upload', headers: { ...headers, cookie }, payload }).then();
  const forms = Array.from({ length: 8 }, () => new PassThrough());
  const answers = forms.map((form) => {
    form.write(body.subarray(0, -100));
    return upload(user, form);
  });
  await expect.poll(async () => (await countEverything()).work, QUIET).toBeGreaterThanOrEqual(6);
  expect((await upload(other, body)).statusCode).toBe(200);
  await expect.poll(async () => (await countEverything()).work, QUIET).toBe(6);
  for (const form of forms) form.end(body.subarray(-100));
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
});
