import { randomUUID } from 'node:crypto';
// What the API answers, recorded: one answer of every route in `tests/fixtures/wire/`, a file for each noun, and every
// error. Where the contract changes, these files change; `vitest run -u tests/api/wire.test.ts` records them anew.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { addErrorHandler } from '#api/plugins/error-handler.ts';
import { computeTotp, openSecret, stepAt } from '#api/services/accounts/second-factor.ts';
import { noteFailure } from '#api/services/generations/engine-health/engine-outages.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import {
  createFinding,
  createGeneration,
  createImageResult,
  createPayment,
  createVideoResult,
} from '#tests/support/factories.ts';
import { encodeForm } from '#tests/support/forms.ts';
import { listEndpoints, nameEndpoint } from '#tests/support/list-endpoints.ts';
import {
  createAdmin,
  createPrintedAdmin,
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  readMails,
  registerVerified,
  sessionCookieOf,
  type TestUser,
} from '#tests/support/users.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/wire');
const NEW_PASSWORD = 'another-long-password';
const harness = useBotHarness();
const VISITOR = { cookie: '' };
beforeAll(() => {
  harness.testApp.engine.abilities.try_on = true;
});

type Caller = Pick<TestUser, 'cookie'>;
type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
interface Request {
  /** What stands in the place of the path's parameters, in their order. */
  at?: (string | number)[];
  /** With its question mark. */
  query?: string;
  payload?: object | string | Buffer;
  headers?: Record<string, string>;
  /** For a stream that does not end: only its head is recorded. */
  isEndless?: boolean;
}

/** Headers that callers depend on. */
const HEADERS = ['content-type', 'content-disposition', 'cache-control', 'accept-ranges', 'clear-site-data'];
/** Numbers that differ from run to run. */
const VARYING =
  /^(id|accountId|bytes|size|storedBytes|usedBytes|share|expectedSeconds|retryAfter|codec|transactionId|unseen)$/;
const MASKS: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/(?<=_)\d{4}-\d\d-\d\d(?=[_.])/g, '<day>'],
  [/(?<=podium-data-)\d{4}-\d\d-\d\d/g, '<day>'],
  [/(?<=_)[0-9a-f]{8}(?=\.)/g, '<id>'],
  [/change-model-result-\d+/g, 'change-model-result-<time>'],
  [/localhost:\d+/g, '<host>'],
  // Their number depends on how many users the process has made.
  [/\banna\d+\b/g, '<username>'],
  [/(?<=\?start=)[\w-]{22}/g, '<token>'],
  [/(?<=secret=)[A-Z2-7]+/g, '<secret>'],
  [/\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/g, '<recovery code>'],
];

/** The answers of one noun, in the order in which they were asked for. */
class Recording {
  readonly answers: Record<string, unknown> = {};

  /** Asks, writes the answer down under the route's name, and returns it. */
  async ask(caller: Caller, route: Route, request: Request = {}): Promise<LightMyRequestResponse> {
    const { at = [], query = '', payload, headers = {}, isEndless = false } = request;
    const [method, pattern] = route.split(' ') as ['GET' | 'POST', string];
    const values = [...at];
    const url = pattern.replaceAll(/:\w+/g, () => String(values.shift())) + query;
    const answer = await harness.testApp.server.inject({
      method,
      url,
      remoteAddress: nextAddress(),
      headers: { cookie: caller.cookie, ...headers },
      ...(payload === undefined ? {} : { payload }),
      ...(isEndless ? { payloadAsStream: true } : {}),
    });
    if (isEndless) answer.stream().destroy();
    expect(answer.statusCode, `${route}: ${isEndless ? '' : answer.body.slice(0, 300)}`).toBeLessThan(300);
    this.answers[route] = {
      status: answer.statusCode,
      headers: maskAll(Object.fromEntries(HEADERS.map((name) => [name, answer.headers[name]]).filter(([, it]) => it))),
      ...(isEndless ? {} : { body: describeBody(answer) }),
    };
    return answer;
  }

  async keep(noun: string): Promise<void> {
    await expect(`${JSON.stringify(this.answers, null, 2)}\n`).toMatchFileSnapshot(path.join(FIXTURES, `${noun}.json`));
  }
}

function describeBody(answer: LightMyRequestResponse): unknown {
  const type = answer.headers['content-type']?.toString() ?? '';
  if (answer.rawPayload.length === 0) return null;
  if (type.startsWith('application/json')) return maskAll(answer.json());
  if (type.startsWith('text/csv')) return maskText(answer.body.split('\n')[0] ?? '');
  return '<bytes>';
}

function maskAll(value: unknown, name = ''): unknown {
  if (name === 'id' && /^\d+$/.test(String(value))) return '<number>';
  if (typeof value === 'string') return maskText(/secret|publicKey|token/i.test(name) ? `<${name}>` : value);
  if (typeof value === 'number') return VARYING.test(name) ? '<number>' : value;
  if (Array.isArray(value)) return value.map((one) => maskAll(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAll(one, key)]));
}

function maskText(text: string): string {
  return MASKS.reduce((masked, [pattern, mask]) => masked.replaceAll(pattern, mask), text);
}

async function photoForm(field: string, fields: Record<string, string> = {}) {
  const file = { content: harness.photo, name: 'Платье.jpg', type: 'image/jpeg' };
  const form = await encodeForm([...Object.entries(fields), [field, file]]);
  return { payload: form.body, headers: form.headers };
}

async function upload(user: TestUser): Promise<string> {
  const uploading = new Recording();
  return (await uploading.ask(user, 'POST /api/upload', await photoForm('image'))).json().id;
}

/** Somebody with a confirmed e-mail, a photo and, if asked for, many stars and a payment. */
async function createUser({ isPaid = false } = {}): Promise<TestUser & { photoId: string }> {
  const { app } = harness.testApp;
  const user = await registerVerified(harness.testApp);
  const accountId = user.account.id;
  if (isPaid) await createPayment(app.db, accountId);
  return { ...user, photoId: await upload(user) };
}

/** Writes the stars of a generation as if it had run. */
async function payFor({ account: { id: accountId } }: TestUser, generationId: string): Promise<void> {
  const { db } = harness.testApp.app;
  const cause = { accountId, generationId };
  await db.generation.update({ where: { id: generationId }, data: { stars: 1 } });
  await db.starEntry.createMany({
    data: [
      { accountId, kind: 'correction', delta: 1, causeKey: `correction:${generationId}` },
      { ...cause, kind: 'hold', delta: -1, causeKey: `hold:${generationId}` },
      { ...cause, kind: 'capture', delta: 0, causeKey: `capture:${generationId}` },
    ],
  });
}

/** The buyer pays, and the sandbox's notification arrives. */
async function payInSandbox(wire: Recording, invoiceId: string): Promise<void> {
  const { db, sandbox } = harness.testApp.app;
  const { providerPaymentId } = await db.payment.findUniqueOrThrow({ where: { id: invoiceId } });
  await sandbox?.decide(providerPaymentId ?? '', 'succeeded');
  const payload = { type: 'notification', event: 'payment.succeeded', object: { id: providerPaymentId } };
  await wire.ask(VISITOR, 'POST /api/payments/webhook/:provider', { at: ['sandbox'], payload });
}

async function waitUntilIs(id: string, wanted: 'generating' | 'completed'): Promise<void> {
  await harness.waitUntil(async () => {
    const { status } = await harness.testApp.app.db.generation.findUniqueOrThrow({ where: { id } });
    expect(status).toBe(wanted);
  });
}

test('accounts', async () => {
  const wire = new Recording();
  const email = newEmail();
  const registered = await wire.ask(VISITOR, 'POST /api/register', {
    payload: { email, password: PASSWORD, consentVersion: DOCUMENTS_VERSION },
  });
  const unverified = { cookie: sessionCookieOf(registered) };
  await wire.ask(unverified, 'GET /api/resend-verification');
  const { db } = harness.testApp.app;
  await db.emailCode.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } });
  await wire.ask(unverified, 'POST /api/resend-verification');
  await db.emailCode.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } });
  const other = newEmail();
  await wire.ask(unverified, 'POST /api/correct-email', { payload: { email: other } });
  const verificationCode = await readCode(harness.testApp, other);
  const verified = await wire.ask(unverified, 'POST /api/verify-email', { payload: { verificationCode } });
  let user = { cookie: sessionCookieOf(verified) };
  await wire.ask(user, 'GET /api/auth/user');
  await wire.ask(user, 'GET /api/user/premium-status');
  await wire.ask(user, 'GET /api/account/consents');
  await wire.ask(user, 'POST /api/account/consents', { payload: { kind: 'transfer', version: TRANSFER_VERSION } });
  await wire.ask(user, 'DELETE /api/account/consents/transfer');
  await wire.ask(user, 'PATCH /api/account/name', { payload: { username: 'Анна' } });
  await wire.ask(user, 'GET /api/account/notifications');
  await wire.ask(user, 'PATCH /api/account/notifications', { payload: { mailsResults: false } });
  const newest = newEmail();
  await wire.ask(user, 'POST /api/account/email', { payload: { email: newest, currentPassword: PASSWORD } });
  const confirmed = await wire.ask(user, 'POST /api/account/email/confirm', {
    payload: { code: await readCode(harness.testApp, newest) },
  });
  user = { cookie: sessionCookieOf(confirmed) };
  await wire.ask(VISITOR, 'POST /api/login', { payload: { email: newest, password: PASSWORD } });
  const { sessions } = (await wire.ask(user, 'GET /api/account/sessions')).json();
  await wire.ask(user, 'DELETE /api/account/sessions/:id', { at: [sessions[1].id] });
  await wire.ask(user, 'DELETE /api/account/sessions');
  const changed = await wire.ask(user, 'POST /api/account/password', {
    payload: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  });
  const again = { cookie: sessionCookieOf(changed) };
  await wire.ask(again, 'GET /api/account/export');
  await wire.ask(again, 'POST /api/account/deletion', { payload: { password: NEW_PASSWORD } });
  await wire.ask(again, 'DELETE /api/account/deletion');
  await wire.ask(VISITOR, 'POST /api/password-reset/request', { payload: { email: newest } });
  await harness.waitUntil(async () =>
    expect((await readMails(harness.testApp, newest)).at(-1)?.subject).toMatch(/парол/),
  );
  const code = await readCode(harness.testApp, newest);
  await wire.ask(VISITOR, 'POST /api/password-reset', { payload: { email: newest, code, password: PASSWORD } });
  await wire.ask(VISITOR, 'GET /api/session-error');
  await wire.ask(again, 'POST /api/logout');
  await wire.keep('accounts');
});

test('tools and showcase', async () => {
  const wire = new Recording();
  for (const route of [
    'GET /api/catalogue',
    'GET /api/showcase',
    'GET /api/operator',
    'GET /api/tools',
    'GET /api/tools/offer',
    'GET /api/payments/providers',
    'GET /api/payments/star-packages',
    'GET /api/notifications/public-key',
  ] as const) {
    await wire.ask(VISITOR, route);
  }
  await wire.keep('showcase');
});

test('photos', async () => {
  const wire = new Recording();
  const user = await createUser();
  const { id } = (await wire.ask(user, 'POST /api/upload', await photoForm('image'))).json();
  await wire.ask(user, 'GET /api/photos');
  await wire.ask(user, 'GET /api/photos/:id', { at: [id] });
  await wire.ask(user, 'GET /api/photos/:id/subject', { at: [id] });
  await wire.ask(user, 'GET /media/photos/:id/preview', { at: [id] });
  await wire.ask(user, 'GET /media/photos/:id/thumbnail', { at: [id] });
  await wire.ask(user, 'DELETE /api/photos/:id', { at: [id] });
  await wire.keep('photos');
});

test('products', async () => {
  const wire = new Recording();
  const user = await createUser();
  const created = await wire.ask(user, 'POST /api/products', { payload: { article: 'ART-1', name: 'Платье' } });
  const at = [created.json().id];
  await wire.ask(user, 'POST /api/products/assign', { payload: { article: 'art-1', photoIds: [user.photoId] } });
  await wire.ask(user, 'GET /api/products');
  await wire.ask(user, 'GET /api/products/:id', { at });
  await wire.ask(user, 'PATCH /api/products/:id', { at, payload: { name: null } });
  await wire.ask(user, 'DELETE /api/products/:id', { at });
  await wire.keep('products');
});

test('batches', async () => {
  const wire = new Recording();
  const user = await createUser();
  // It takes the one place of an account that has not paid, so that nothing below starts meanwhile.
  const started = await wire.ask(user, 'POST /api/generate', { payload: { imageId: user.photoId } });
  const [id, sent, picked, queued] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const set = { kind: 'video', settings: {} };
  await wire.ask(user, 'POST /api/photos/known', { payload: { hashes: ['0'.repeat(64)] } });
  await wire.ask(user, 'POST /api/batches', { payload: { id, set, name: 'Лето' } });
  const rows = [
    { id: sent, name: 'ART-1.jpg', size: 1000 },
    { id: picked, name: 'photo.jpg', photoId: user.photoId, note: 'срочно' },
  ];
  const at = [id];
  await wire.ask(user, 'POST /api/batches/:id/rows', { at, payload: { rows } });
  await wire.ask(user, 'POST /api/batches/:id/rows/:row/photo', { at: [id, sent], ...(await photoForm('image')) });
  await wire.ask(user, 'POST /api/batches/:id/rows/:row/unsent', {
    at: [id, sent],
    payload: { refusal: 'photo_unreadable' },
  });
  await wire.ask(user, 'PATCH /api/batches/:id/rows/:row', { at: [id, sent], payload: { note: 'позже' } });
  await wire.ask(user, 'PATCH /api/batches/:id', { at, payload: { continuesAfterPurchase: true } });
  await wire.ask(user, 'POST /api/batches/:id/rows/keep', { at, payload: { rowIds: [sent] } });
  const { batch } = (await wire.ask(user, 'GET /api/batches/:id', { at })).json();
  const agreedStars = batch.prices.ready.stars;
  await wire.ask(user, 'POST /api/batches/:id/start', { at, payload: { agreedStars } });
  await wire.ask(user, 'POST /api/batches/:id/pause', { at });
  await wire.ask(user, 'POST /api/batches/:id/resume', { at, payload: { agreedStars } });
  await wire.ask(user, 'POST /api/batches/:id/stop', { at });
  await wire.ask(user, 'POST /api/batches/:id/repeat', { at, payload: { rowIds: [picked], agreedStars: 1 } });
  await wire.ask(user, 'POST /api/batches/:id/stop', { at });
  const { generationId } = await createVideoResult(harness.testApp.app, user.account.id);
  await harness.testApp.app.db.batchRow.update({ where: { id: sent }, data: { stage: 'started', generationId } });
  await wire.ask(user, 'POST /api/batches/:id/rows/:row/redo', { at: [id, sent], payload: { agreedStars: 1 } });
  await wire.ask(user, 'POST /api/batches/:id/stop', { at });
  const decisions = [{ rowId: sent, isTaken: true }];
  await wire.ask(user, 'POST /api/batches/:id/review', { at, payload: { decisions } });
  await wire.ask(user, 'POST /api/batches/:id/seen', { at });
  await wire.ask(user, 'POST /api/batches/:id/rows/remove', { at, payload: { rowIds: [sent] } });
  await wire.ask(user, 'POST /api/batches/queue', {
    payload: { rowId: queued, set, photoId: user.photoId, agreedStars: 1 },
  });
  await wire.ask(user, 'GET /api/batches');
  await wire.ask(user, 'DELETE /api/batches/:id', { at });
  await wire.ask(user, 'POST /api/generations/:id/cancel', { at: [started.json().generationId] });
  await wire.keep('batches');
});

test('packs', async () => {
  const wire = new Recording();
  const user = await createUser({ isPaid: true });
  const { id: imageId } = await createImageResult(harness.testApp.app, user.account.id, { width: 1200, height: 1600 });
  const id = randomUUID();
  const order = { marketplace: 'wildberries', subject: { itemIds: [imageId] }, template: '{артикул}_{№}' };
  await wire.ask(user, 'POST /api/packs/preview', { payload: order });
  await wire.ask(user, 'POST /api/packs', { payload: { id, ...order } });
  const { db } = harness.testApp.app;
  await harness.waitUntil(async () =>
    expect((await db.pack.findUniqueOrThrow({ where: { id } })).status).toBe('ready'),
  );
  await wire.ask(user, 'GET /api/packs');
  await wire.ask(user, 'GET /api/packs/:id/file', { at: [id] });
  await wire.ask(user, 'DELETE /api/packs/:id', { at: [id] });
  await wire.keep('packs');
});

test('generations', async () => {
  const wire = new Recording();
  const user = await createUser();
  const { app, engine } = harness.testApp;
  engine.behave({ say: 'running', share: 0.5 });
  await app.db.account.update({ where: { id: user.account.id }, data: { starBalance: { increment: 98 } } });
  await app.db.starEntry.create({
    data: { accountId: user.account.id, kind: 'correction', delta: 98, causeKey: `correction:${user.photoId}` },
  });
  const started = await wire.ask(user, 'POST /api/generate', { payload: { imageId: user.photoId } });
  const { generationId } = started.json();
  const query = `?generationId=${generationId}`;
  await waitUntilIs(generationId, 'generating');
  await wire.ask(user, 'GET /api/active-generations');
  await wire.ask(user, 'GET /api/status', { query });
  await wire.ask(user, 'GET /api/retrieve-video', { query });
  await wire.ask(user, 'GET /api/events', { isEndless: true });
  await wire.ask(user, 'POST /api/generations/:id/cancel', { at: [generationId] });
  await wire.ask(user, 'GET /api/generations/:id', { at: [generationId] });

  const choice = { modelImageUrl: '/attached_assets/woman/w5.webp', backgroundImageUrl: '/backgrounds/concrete.webp' };
  const change = await wire.ask(user, 'POST /api/change-model', await photoForm('userImage', choice));
  harness.letEngineHandInPictures(1);
  await waitUntilIs(change.json().request_id, 'completed');
  await wire.ask(user, 'GET /api/change-model/status/:requestId', { at: [change.json().request_id] });

  // Before the start: a session that finds one picture ready ends with one frame, and a star comes back.
  harness.letEngineHandInPictures(5);
  const session = await wire.ask(user, 'POST /api/photosession', await photoForm('image'));
  await waitUntilIs(session.json().sessionId, 'completed');
  await wire.ask(user, 'GET /api/photosession/:id/status', { at: [session.json().sessionId] });
  await wire.ask(user, 'GET /api/photosessions');

  harness.testApp.engine.behave({ say: 'running' });
  const payload = { garmentImageId: user.photoId, personImageId: user.photoId };
  await wire.ask(user, 'POST /api/try-on', { payload: { ...payload, personImageId: await upload(user) } });
  const settings = { modelId: null, backgroundId: 'dunes' };
  const set = await wire.ask(user, 'POST /api/setting-sets', {
    payload: { kind: 'model_change', name: 'Каталог', settings },
  });
  await wire.ask(user, 'PATCH /api/setting-sets/:id', { at: [set.json().id], payload: { name: 'Лето' } });
  await wire.ask(user, 'GET /api/tool-settings');
  await wire.ask(user, 'DELETE /api/setting-sets/:id', { at: [set.json().id] });
  await wire.ask(user, 'GET /api/stars/balance');
  await wire.ask(user, 'GET /api/stars/history');
  await wire.keep('generations');
});

test('results', async () => {
  const wire = new Recording();
  const user = await createUser({ isPaid: true });
  const { app } = harness.testApp;
  const photo = await app.db.photo.findUniqueOrThrow({ where: { id: user.photoId } });
  const generationId = await createGeneration(app, user.account.id, 'photosession', 'completed', photo);
  const image = await createImageResult(app, user.account.id, { generationId, width: 600, height: 600 });
  const clip = await createVideoResult(app, user.account.id);
  const at = [image.id];
  const place = [image.generationId, 0];
  await wire.ask(user, 'GET /api/gallery');
  await wire.ask(user, 'GET /api/gallery/archive', { query: `?ids=${image.id}` });
  await wire.ask(user, 'GET /api/photosession/:id/archive', { at: [image.generationId] });
  await wire.ask(user, 'POST /api/gallery/:id/pick', { at });
  await wire.ask(user, 'POST /api/download-image', { payload: { imageId: image.id } });
  await wire.ask(user, 'GET /api/results/:id/export', { at, query: '?fix=pad_3_4' });
  await wire.ask(user, 'GET /media/results/:generationId/:position/image', { at: place });
  await wire.ask(user, 'GET /media/results/:generationId/:position/poster', { at: place });
  await wire.ask(user, 'GET /media/results/:generationId/:position/thumbnail', { at: place });
  await wire.ask(user, 'GET /api/videos');
  await wire.ask(user, 'GET /api/results');
  await wire.ask(user, 'POST /api/gallery/rename', { payload: { ids: [image.id], title: 'Главное' } });
  await wire.ask(user, 'GET /api/videos/:id/download-access', { at: [clip.generationId] });
  await wire.ask(user, 'GET /api/video-proxy/:id', { at: [clip.generationId] });
  await wire.ask(user, 'GET /api/video-proxy-full/:id', { at: [clip.generationId] });
  await wire.ask(user, 'POST /api/videos/:id/prepare', { at: [clip.generationId] });
  await wire.ask(user, 'GET /api/analyze-video/:id', { at: [clip.generationId] });
  await createFinding(app, image, 'drifted');
  await wire.ask(user, 'GET /api/results/:id/garment-crops/:side', { at: [image.id, 'result'] });
  await wire.ask(user, 'POST /api/generations/:id/reroll', { at: [image.generationId] });
  await wire.ask(user, 'DELETE /api/gallery/:id', { at });
  await wire.ask(user, 'GET /api/gallery/deleted');
  await wire.ask(user, 'GET /media/deleted/:generationId/:position/poster', { at: place });
  await wire.ask(user, 'POST /api/gallery/:id/restore', { at });
  await wire.ask(user, 'DELETE /api/gallery/:id', { at });
  await wire.ask(user, 'DELETE /api/gallery/deleted/:id', { at });
  await payFor(user, clip.generationId);
  await app.storage.remove(clip.originalKey);
  await wire.ask(user, 'POST /api/generations/:id/return-lost-stars', { at: [clip.generationId] });
  await wire.keep('results');
});

test('payments', async () => {
  const wire = new Recording();
  const user = await createUser();
  const invoice = await wire.ask(user, 'POST /api/payments/create-invoice', { payload: { packageId: 1 } });
  const at = [invoice.json().invoiceId];
  await wire.ask(user, 'GET /api/payments/invoices/:id', { at });
  await wire.ask(user, 'GET /api/payments/last-invoice');
  await wire.ask(user, 'GET /api/payments/unpaid-invoices');
  await wire.ask(user, 'POST /api/payments/invoices/:id/dismiss', { at });
  await payInSandbox(wire, invoice.json().invoiceId);
  await wire.keep('payments');
});

test('notices and chats', async () => {
  const wire = new Recording();
  const user = await createUser();
  const payload = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/a-browser',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  };
  const { id } = (await wire.ask(user, 'POST /api/notifications/devices', { payload })).json();
  await wire.ask(user, 'GET /api/notifications/devices');
  await wire.ask(user, 'DELETE /api/notifications/devices/:id', { at: [id] });
  const generationId = await createGeneration(harness.testApp.app, user.account.id, 'video');
  await wire.ask(user, 'GET /api/notifications/unseen');
  await wire.ask(user, 'POST /api/notifications/seen', { payload: { generationIds: [generationId] } });
  await wire.ask(user, 'POST /api/interview-invitation');
  const contacts = { name: 'Анна', email: 'anna@example.com', telegram: '@anna' };
  await wire.ask(user, 'POST /api/interview-request', { payload: contacts });
  await wire.ask(VISITOR, 'POST /api/analytics/event', {
    payload: { event_name: 'cases_link_clicked', page_location: '/', details: {} },
  });

  await wire.ask(user, 'GET /api/telegram');
  await wire.ask(user, 'POST /api/telegram/link-address', { payload: { password: PASSWORD } });
  const chat = await harness.newMember();
  chat.say('/link');
  const { text } = await chat.waitFor(/действует 10 минут/);
  const token = /telegram=([\w-]{22})/.exec(text)?.[1];
  await wire.ask(user, 'POST /api/telegram/link-preview', { payload: { token } });
  await wire.ask(user, 'POST /api/telegram/link', { payload: { token, password: PASSWORD } });
  await wire.ask(user, 'PATCH /api/telegram', { payload: { tellsResults: false } });
  let parting = '';
  await harness.waitUntil(async () => {
    const mail = (await readMails(harness.testApp, user.email)).at(-1);
    parting = /\/chat-access\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(parting).not.toBe('');
  });
  await wire.ask(VISITOR, 'POST /api/telegram/part', { payload: { token: parting } });
  await wire.ask(user, 'DELETE /api/telegram');
  await wire.keep('notices');
});

test('administration', async () => {
  const wire = new Recording();
  const { app } = harness.testApp;
  // What other tests have left.
  await app.db.interviewRequest.deleteMany();
  await app.db.engineOutage.deleteMany();
  const printed = await createPrintedAdmin(harness.testApp);
  await app.db.account.update({ where: { id: printed.account.id }, data: { hasPrintedPassword: false } });
  const { password } = printed;
  await wire.ask(printed, 'POST /api/admin/second-factor', { payload: { password } });
  await wire.ask(printed, 'GET /api/admin/second-factor');
  const factor = await app.db.secondFactor.findUniqueOrThrow({ where: { accountId: printed.account.id } });
  const secret = openSecret(app.config.sessionSecret, factor.accountId, factor.secret);
  const code = computeTotp(secret, stepAt(new Date()));
  const finished = await wire.ask(printed, 'POST /api/admin/second-factor/confirm', { payload: { code } });
  const [recoveryCode] = finished.json().recoveryCodes;
  await wire.ask(printed, 'POST /api/admin/confirmation', { payload: { password, code: recoveryCode } });

  const admin = await createAdmin(harness.testApp);
  const user = await createUser();
  const accountId = user.account.id;
  await wire.ask(admin, 'GET /api/admin/users', { query: `?search=${user.email}` });
  await wire.ask(admin, 'POST /api/admin/users/:id/correction', {
    at: [accountId],
    payload: { delta: 1, reason: 'Подарок' },
  });
  await wire.ask(admin, 'GET /api/admin/users/:id/stars', { at: [accountId] });
  const contacts = { name: 'Анна', email: 'anna@example.com', telegram: '@anna' };
  const request = await app.db.interviewRequest.create({ data: { accountId, ...contacts } });
  await wire.ask(admin, 'POST /api/admin/interview-requests/:id/grant', { at: [request.id] });
  await wire.ask(admin, 'GET /api/admin/interview-requests');
  const purchase = new Recording();
  const invoice = await purchase.ask(user, 'POST /api/payments/create-invoice', { payload: { packageId: 1 } });
  const { invoiceId } = invoice.json();
  await payInSandbox(purchase, invoiceId);
  await wire.ask(admin, 'POST /api/admin/payments/:id/refund', { at: [invoiceId], payload: { reason: 'Ошибка' } });
  await wire.ask(admin, 'GET /api/admin/payments', { query: `?accountId=${accountId}` });

  const photo = await app.db.photo.findUniqueOrThrow({ where: { id: user.photoId } });
  const generationId = await createGeneration(app, accountId, 'photosession', 'completed', photo);
  const image = await createImageResult(app, accountId, { generationId });
  await payFor(user, generationId);
  await wire.ask(user, 'POST /api/results/:id/report', { at: [image.id], payload: { reason: 'garment_distorted' } });
  await wire.ask(user, 'GET /api/results/:id/report', { at: [image.id] });
  await wire.ask(admin, 'GET /api/admin/open-report-count');
  const { reports } = (await wire.ask(admin, 'GET /api/admin/reports')).json();
  const at = [reports[0].id];
  await wire.ask(admin, 'GET /api/admin/reports/:id/result', { at });
  await wire.ask(admin, 'GET /api/admin/reports/:id/preview', { at });
  await wire.ask(admin, 'GET /api/admin/reports/:id/photos/:position', { at: [...at, 0] });
  await wire.ask(admin, 'POST /api/admin/reports/:id/decision', { at, payload: { decision: 'stars_returned' } });

  const { engine } = harness.testApp;
  const { photosTravel } = engine;
  // Only an engine elsewhere can be out of order.
  Object.assign(engine, { photosTravel: 'abroad' });
  await noteFailure(app, engine, 'video', { code: 'engine_unfunded', detail: 'locked' });
  const { outages } = (await wire.ask(admin, 'GET /api/admin/engines')).json();
  await wire.ask(admin, 'POST /api/admin/engine-outages/:id/trial', { at: [outages[0].id] });
  await app.db.engineOutage.deleteMany();
  Object.assign(engine, { photosTravel });
  const query = '?startDate=2026-01-01&endDate=2026-01-01';
  await wire.ask(admin, 'GET /api/analytics', { query });
  await wire.ask(admin, 'GET /api/analytics/daily', { query });
  await wire.ask(admin, 'GET /api/analytics/daily.csv', { query });
  await wire.ask(admin, 'GET /api/analytics/engines', { query });
  await wire.ask(admin, 'GET /api/analytics/engines.csv', { query });
  await wire.ask(admin, 'GET /api/admin/audit');
  await wire.keep('administration');
});

test('every error', async () => {
  const server = Fastify();
  addErrorHandler(server);
  server.get<{ Params: { code: ErrorCode } }>('/api/throw/:code', async ({ params }) => {
    throw new AppError(params.code);
  });
  const answers: Record<string, unknown> = {};
  for (const code of Object.keys(ERRORS)) {
    const { statusCode: status, headers, body } = await server.inject(`/api/throw/${code}`);
    const { requestId: _, ...said } = JSON.parse(body);
    answers[code] = { status, ...(headers['retry-after'] ? { retryAfter: headers['retry-after'] } : {}), body: said };
  }
  await server.close();
  await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(path.join(FIXTURES, 'errors.json'));
});

test('no route of the contract is left out', async () => {
  const recorded = readdirSync(FIXTURES).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(path.join(FIXTURES, file), 'utf8'))),
  );
  // Only the engine that gave the secret can call it.
  const missing = (await listEndpoints()).map(nameEndpoint).filter((name) => !recorded.includes(name));
  expect(missing).toEqual(['POST /api/engines/:name/:secret']);
});
