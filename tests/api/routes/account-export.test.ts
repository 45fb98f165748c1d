import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { beforeAll, expect, test, vi } from 'vitest';
import { StorageFullError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { hideForGood } from '#api/services/generations/results/result-files.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import {
  asUpload,
  createAccount,
  createFinding,
  createGeneration,
  createImageResult,
  createPayment,
  createVideoResult,
  keepPhoto,
  makeCopyOf,
  subjectOf,
} from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { PASSWORD, registerAndConfirm, registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp({ onLogLine: (line) => lines.push(line) });
let app: AppContext;
const lines: string[] = [];
beforeAll(async () => {
  app = testApp.app;
});

const ask = (user: Pick<TestUser, 'cookie'>, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.server.inject({ method, url: '/api/account/export', headers: { cookie: user.cookie } });

async function exportOf(user: TestUser) {
  const response = await ask(user);
  expect(response.statusCode).toBe(200);
  const files = await readZip(response.rawPayload);
  const json = (name: string) => JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null');
  return { response, files, json };
}

async function createUserWithEverything() {
  const user = await registerAndConfirm(testApp);
  const accountId = user.account.id;
  const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
  const photo = asUpload(await keepPhoto(app, accountId, content, 'моё.png'));
  const image = await createImageResult(app, accountId, { title: 'Платье' });
  await app.db.generationInput.create({ data: { ...subjectOf(photo), generationId: image.generationId, position: 1 } });
  const video = await createVideoResult(app, accountId);
  await makeCopyOf(app, video.generationId);
  await app.db.account.update({ where: { id: accountId }, data: { interviewInvitedAt: new Date() } });
  await app.db.interviewRequest.create({ data: { accountId, name: 'Анна', email: user.email, telegram: '@anna' } });
  await app.db.secondFactor.create({ data: { accountId, secret: Buffer.alloc(48, 'secret'), recoveryHashes: [] } });
  await app.db.analyticsEvent.create({ data: { name: 'video_download', accountId, pageLocation: '/app' } });
  await app.db.analyticsEvent.create({ data: { name: 'video_download', accountId: null, pageLocation: '/hidden' } });
  await app.db.auditEntry.create({ data: { action: 'stars_corrected', accountId, adminId: 3, details: { delta: 1 } } });
  await app.db.resultReport.create({
    data: {
      accountId,
      generationId: image.generationId,
      resultId: image.id,
      reason: 'other',
      isUrgent: false,
      comment: 'шов',
      status: 'closed',
      decision: 'no_action',
      answer: 'так и есть',
      closedById: 3,
      closedAt: new Date(),
    },
  });
  await app.db.notice.create({
    data: { generationId: image.generationId, channel: 'mail', target: String(accountId) },
  });
  const batch = await app.db.batch.create({
    data: { id: randomUUID(), accountId, kind: 'photosession', name: 'Лето', settings: {} },
  });
  await app.db.notice.create({
    data: { batchId: batch.id, occasion: 'ended:1', channel: 'push', target: String(accountId) },
  });
  const session = await app.db.session.findFirstOrThrow({ where: { accountId } });
  await app.db.pushSubscription.create({
    data: {
      accountId,
      sessionId: session.id,
      endpoint: `https://push.example/${accountId}`,
      p256dh: 'key',
      auth: 'secret-auth',
    },
  });
  await createFinding(app, image);
  const telegramId = BigInt(900_000 + accountId);
  await app.db.telegramUser.create({ data: { id: telegramId, accountId, username: 'anna', firstName: 'Анна' } });
  await app.db.telegramUpdate.create({ data: { id: telegramId, chatId: telegramId, body: { text: 'привет' } } });
  await app.db.telegramMessage.create({ data: { causeKey: `update:${telegramId}:0`, chatId: telegramId } });
  return { user, photo, image, video };
}

test('holds every kind of data as JSON, and the files', async () => {
  const { user, photo, image, video } = await createUserWithEverything();
  await createPayment(app.db, user.account.id);
  const { response, files, json } = await exportOf(user);

  expect(response.headers).toMatchObject({ 'content-type': 'application/zip', 'cache-control': 'private, no-store' });
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="podium-data-\d{4}-\d\d-\d\d\.zip"/);
  expect(files.get('README.txt')?.toString()).toContain('payments.json — платежи и возвраты');
  expect(json('account')).toMatchObject([
    { id: user.account.id, email: user.email, starBalance: 2, interviewInvitedAt: expect.any(String) },
  ]);
  expect(json('sessions')).toHaveLength(1);
  expect(json('second-factor')).toEqual([{ createdAt: expect.any(String), confirmedAt: null }]);
  expect(json('mailed-codes')).toMatchObject([{ purpose: 'verify_email' }]);
  expect(json('photos')).toContainEqual(
    expect.objectContaining({
      id: photo.id,
      name: 'моё.png',
      file: `photos/${photo.id}.jpg`,
      mask: `photos/${photo.id}-mask.png`,
    }),
  );
  expect(json('generations')).toHaveLength(2);
  expect(json('generations')[0].inputs).toEqual([
    { position: 0, role: 'subject', photoId: expect.any(String) },
    { position: 1, role: 'subject', photoId: photo.id },
  ]);
  expect(json('results')).toMatchObject([
    {
      title: 'Платье',
      file: `results/${image.generationId}-1.jpg`,
      garmentCheck: { verdict: 'drifted', drifts: ['print'] },
    },
    { kind: 'video', file: `results/${video.generationId}-1.mp4` },
  ]);
  expect(json('reports')).toMatchObject([{ resultId: image.id, comment: 'шов', answer: 'так и есть' }]);
  expect(json('reports')[0]).not.toHaveProperty('closedById');
  expect(json('notices')).toMatchObject([{ channel: 'mail' }, { channel: 'push', occasion: 'ended:1' }]);
  expect(json('stars')).toMatchObject([{ kind: 'signup_bonus', delta: 2 }]);
  expect(json('payments')).toMatchObject([{ packageName: 'Примерка', refunds: [] }]);
  expect(json('interview')).toMatchObject([{ telegram: '@anna' }]);
  expect(json('push-devices')).toMatchObject([{ endpoint: `https://push.example/${user.account.id}` }]);
  expect(json('telegram')).toMatchObject([{ id: String(900_000 + user.account.id), username: 'anna' }]);
  expect(json('telegram-received')).toMatchObject([{ body: { text: 'привет' } }]);
  expect(json('telegram-sent')).toMatchObject([{ causeKey: expect.stringMatching(/^update:/) }]);
  expect(json('analytics')).toMatchObject([{ name: 'video_download', pageLocation: '/app' }]);
  expect(json('administration')).toMatchObject([{ action: 'stars_corrected' }]);
  expect(files.get(`photos/${photo.id}.jpg`)).toEqual(await read(photo.masterKey));
  expect(files.get(`photos/${photo.id}-mask.png`)).toEqual(await read(photo.maskKey ?? ''));
});

test('has the products as a table for Excel, in which no text is a formula', async () => {
  const user = await registerVerified(testApp);
  const { id: accountId } = user.account;
  await app.db.product.create({ data: { accountId, article: '=1+1', articleKey: '=1+1', name: 'Платье; летнее' } });
  const { files } = await exportOf(user);
  const [head, row] = (files.get('products.csv')?.toString() ?? '').split('\r\n');
  expect(head).toBe('\u{feff}Артикул;Название;Создан;id');
  expect(row).toMatch(/^'=1\+1;"Платье; летнее";2/);
});

test('tells what the owner has consented to, also in the chat that was linked since', async () => {
  const user = await registerVerified(testApp);
  const chat = {
    consentVersion: '2026-01-01',
    transferConsentVersion: '2026-02-02',
    transferConsentAt: new Date(1000),
  };
  const merged = await createAccount(app);
  await app.db.account.update({ where: { id: merged.id }, data: { ...chat, mergedIntoId: user.account.id } });
  const { json } = await exportOf(user);
  expect(json('account')).toMatchObject([
    { id: user.account.id, transferConsentVersion: null },
    { id: merged.id, ...chat, transferConsentAt: '1970-01-01T00:00:01.000Z' },
  ]);
});

test('a paid owner gets the originals, a free one the copies with the logo', async () => {
  const { user, image, video } = await createUserWithEverything();
  const names = [`results/${image.generationId}-1.jpg`, `results/${video.generationId}-1.mp4`] as const;
  const originals = [await read(image.originalKey), await read(video.originalKey)];

  const free = (await exportOf(user)).files;
  const copies = await app.db.result.findMany({ where: { accountId: user.account.id }, orderBy: { id: 'asc' } });
  for (const [index, name] of names.entries()) {
    expect(free.get(name)).toEqual(await read(copies[index]?.watermarkedKey ?? ''));
    expect(free.get(name)).not.toEqual(originals[index]);
  }
  await createPayment(app.db, user.account.id);
  const paid = (await exportOf(user)).files;
  for (const [index, name] of names.entries()) expect(paid.get(name)).toEqual(originals[index]);
});

test('has deleted results, as their owner may have them now, until they are removed for good', async () => {
  const user = await registerVerified(testApp);
  const { id, generationId, originalKey } = await createImageResult(app, user.account.id);
  const call = (method: 'DELETE', url: string) =>
    testApp.server.inject({ method, url, headers: { cookie: user.cookie } });
  expect((await call('DELETE', `/api/gallery/${id}`)).statusCode).toBe(204);
  const { files, json } = await exportOf(user);
  expect(json('results')).toMatchObject([{ id, deletedAt: expect.any(String) }]);
  const file = files.get(`results/${generationId}-1.jpg`);
  expect(file).toBeDefined();
  expect(file).not.toEqual(await buffer(await app.storage.open(originalKey)));
  expect((await call('DELETE', `/api/gallery/deleted/${id}`)).statusCode).toBe(204);
  const later = await exportOf(user);
  expect(later.json('results')).toEqual([]);
  expect([...later.files.keys()].filter((name) => name.startsWith('results/'))).toEqual([]);
});

test('has nothing of a result that was removed for good while a generation is still made from it', async () => {
  const user = await registerVerified(testApp);
  const accountId = user.account.id;
  const { id } = await createImageResult(app, accountId);
  const call = (method: 'DELETE' | 'POST', url: string) =>
    testApp.server.inject({ method, url, headers: { cookie: user.cookie } });
  const pickedId: string = (await call('POST', `/api/gallery/${id}/pick`)).json().id;
  const picked = await app.db.photo.findUniqueOrThrow({ where: { id: pickedId } });
  await createGeneration(app, accountId, 'photosession', 'generating', picked);
  for (const url of [`/api/gallery/${id}`, `/api/gallery/deleted/${id}`]) {
    expect((await call('DELETE', url)).statusCode).toBe(204);
  }
  expect(await app.db.result.count({ where: { id } })).toBe(1);
  const { files, json } = await exportOf(user);
  expect(json('results')).toEqual([]);
  expect(json('photos').map((photo: { id: string }) => photo.id)).not.toContain(pickedId);
  expect([...files.keys()].filter((name) => name.startsWith('results/'))).toEqual([]);
});

test('has no file of a result that is removed for good while those before it are written', async () => {
  const user = await registerVerified(testApp);
  const [first, second] = [
    await createImageResult(app, user.account.id),
    await createImageResult(app, user.account.id),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const open = app.storage.open.bind(app.storage);
  const spy = vi.spyOn(app.storage, 'open').mockImplementationOnce(async (key) => {
    await hideForGood(app.db, second?.id ?? '');
    return open(key);
  });
  const { files } = await exportOf(user);
  spy.mockRestore();
  const results = [...files.keys()].filter((name) => name.startsWith('results/'));
  expect(results).toEqual([`results/${first?.generationId}-1.jpg`]);
});

test('lets nobody in: no tokens, no hashes, no keys of push devices', async () => {
  const { user } = await createUserWithEverything();
  const { files } = await exportOf(user);
  const everything = [...files]
    .filter(([name]) => name.endsWith('.json'))
    .map(([, content]) => content.toString())
    .join('');
  const { passwordHash } = await app.db.account.findUniqueOrThrow({ where: { id: user.account.id } });
  for (const secret of [passwordHash, PASSWORD, user.cookie.split('=')[1] ?? '', 'secret-auth']) {
    expect(everything).not.toContain(secret);
  }
  expect(everything).not.toMatch(/hash|token/i);
});

test('holds nothing of anybody else', async () => {
  await createUserWithEverything();
  const newcomer = await registerVerified(testApp);
  const { files, json } = await exportOf(newcomer);
  expect([...files.keys()].filter((name) => name.includes('/'))).toEqual([]);
  for (const name of ['photos', 'results', 'payments', 'interview', 'analytics']) expect(json(name)).toEqual([]);
});

test('leaves a file out that has gone since, and goes on', async () => {
  const { user, photo, image } = await createUserWithEverything();
  await createPayment(app.db, user.account.id);
  await app.storage.remove(photo.masterKey);
  const { files } = await exportOf(user);
  expect([files.has(`photos/${photo.id}.jpg`), files.has(`results/${image.generationId}-1.jpg`)]).toEqual([
    false,
    true,
  ]);
});

test('may be asked for five times an hour, HEAD and GET', async () => {
  const user = await registerVerified(testApp);
  for (let time = 0; time < 5; time++) {
    const head = await ask(user, 'HEAD');
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    expect((await ask(user)).statusCode).toBe(200);
  }
  const refused = await ask(user);
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
});

async function createPaidUser() {
  const user = await registerVerified(testApp);
  await createPayment(app.db, user.account.id);
  return { user, image: await createImageResult(app, user.account.id) };
}

test('is refused before it begins while the storage is away', async () => {
  const { user } = await createPaidUser();
  const folder = path.join(app.config.dataDir, 'files');
  await rename(folder, `${folder}-aside`);
  try {
    expect((await ask(user, 'HEAD')).statusCode).toBe(503);
    const refused = await ask(user);
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable']);
  } finally {
    await rename(`${folder}-aside`, folder);
  }
  expect((await ask(user)).statusCode).toBe(200);
});

test('is refused while another storage is in the place of ours, and given while ours is full', async () => {
  const { user } = await createPaidUser();
  for (const _ of Array.from({ length: 4 })) await createImageResult(app, user.account.id);
  const foreign = vi.spyOn(app.storage, 'findSize').mockResolvedValue(null);
  app.state.storageSample.forget();
  expect((await ask(user)).statusCode).toBe(503);
  foreign.mockRestore();
  app.state.storageSample.forget();
  const full = vi.spyOn(app.storage, 'check').mockRejectedValue(new StorageFullError('test'));
  expect((await ask(user)).statusCode).toBe(200);
  full.mockRestore();
});

test('the log tells of an export or an archive that breaks off in the middle, with its request', async () => {
  const { user, image } = await createPaidUser();
  let begun = Promise.withResolvers<void>();
  // The answer has begun when the reading fails.
  const half = async function* () {
    yield Buffer.alloc(10);
    await begun.promise;
    throw new Error('the disk went away');
  };
  const open = app.storage.open.bind(app.storage);
  const spy = vi
    .spyOn(app.storage, 'open')
    .mockImplementation(async (key) => (key === image.originalKey ? Readable.from(half()) : open(key)));
  const address = await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  for (const route of ['/api/account/export', `/api/gallery/archive?ids=${image.id}`]) {
    lines.length = 0;
    begun = Promise.withResolvers();
    const answer = await fetch(address + route, { headers: { cookie: user.cookie } });
    expect(answer.status).toBe(200);
    begun.resolve();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    const [requestId, [where]] = [answer.headers.get('x-request-id'), route.split('?')];
    expect(errors).toMatchObject([{ msg: 'an answer broke off', requestId, path: where }]);
  }
  spy.mockRestore();
});

async function read(key: string): Promise<Buffer> {
  return Buffer.from(await text((await app.storage.open(key)).setEncoding('latin1')), 'latin1');
}
