import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRowId } from '#api/database/database.ts';
import { startSession } from '#api/services/accounts/sessions.ts';
import {
  createAccount,
  createGeneration,
  createImageResult,
  createPhoto,
  createStoredPhoto,
  createVideoResult,
} from '#tests/support/factories.ts';
import { encodeForm } from '#tests/support/forms.ts';
import { listIdFields, listRoutes, type Operation } from '#tests/support/list-routes.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

/** The ids of what another account owns. `unfinished` is a video that is still being made. */
interface Owned {
  photo: string;
  product: string;
  video: string;
  unfinished: string;
  modelChange: string;
  photosession: string;
  image: string;
  session: string;
  invoice: string;
  device: string;
  set: string;
  batch: string;
  pack: string;
}
interface Try {
  url: string;
  body?: object;
  form?: Record<string, string>;
  /** The field of a file in the form. */
  file?: string;
}
interface Row {
  /** The call and the field that takes the id, as OpenAPI names them. */
  field: string;
  /** The noun in the codes `<noun>_not_found` and `<noun>_forbidden`. */
  noun: string;
  foreign: readonly (keyof Owned)[];
  /** `ownPhoto`, `ownBatch`: the ids of a photo and of a batch of the caller. */
  send: (id: string, ownPhoto: string, ownBatch: string) => Try;
}

const ANY_GENERATION = ['video', 'unfinished', 'modelChange', 'photosession'] as const satisfies (keyof Owned)[];
const form = { modelImageUrl: '/attached_assets/woman/w1.webp', backgroundImageUrl: '/backgrounds/dunes.webp' };

const VIDEO = { kind: 'video', settings: {} };
const TRY_ON = { kind: 'try_on', settings: {} };
const rowIds = [randomUUID()];
/** Calls about a batch with a body. A batch that is not the caller's is refused before anything else is looked at. */
const BATCH_CALLS: Record<string, { path: string } & Omit<Try, 'url'>> = {
  'PATCH /api/batches/{id}': { path: '', body: { name: 'Лето' } },
  'POST /api/batches/{id}/rows': { path: '/rows', body: { rows: [{ id: randomUUID(), name: 'a.jpg' }] } },
  'POST /api/batches/{id}/rows/{row}/photo': { path: `/rows/${randomUUID()}/photo`, form: {}, file: 'image' },
  'POST /api/batches/{id}/rows/{row}/unsent': {
    path: `/rows/${randomUUID()}/unsent`,
    body: { sha256: '0'.repeat(64) },
  },
  'PATCH /api/batches/{id}/rows/{row}': { path: `/rows/${randomUUID()}`, body: { note: 'срочно' } },
  'POST /api/batches/{id}/rows/keep': { path: '/rows/keep', body: { rowIds } },
  'POST /api/batches/{id}/rows/remove': { path: '/rows/remove', body: { rowIds } },
  'POST /api/batches/{id}/start': { path: '/start', body: { agreedStars: 1 } },
  'POST /api/batches/{id}/resume': { path: '/resume', body: { agreedStars: 1 } },
  'POST /api/batches/{id}/repeat': { path: '/repeat', body: { agreedStars: 1 } },
  'POST /api/batches/{id}/rows/{row}/redo': { path: `/rows/${randomUUID()}/redo`, body: { agreedStars: 1 } },
  'POST /api/batches/{id}/review': { path: '/review', body: { decisions: [{ rowId: randomUUID(), isTaken: true }] } },
};

/** Items of the gallery. An image has an id of its own, a video has that of its generation. */
const ITEMS = ['image', 'video', 'unfinished'] as const satisfies (keyof Owned)[];

/** Calls with the id in their path. The last word of a field is the parameter's name. */
function inPath(noun: string, foreign: readonly (keyof Owned)[], fields: string[]): Row[] {
  return fields.map((field) => {
    const [, path = '', name] = field.split(' ');
    const address = path.replace('{position}', '0').replace('{side}', 'source');
    const query = path.endsWith('/export') ? '?fix=crop_3_4' : '';
    return { field, noun, foreign, send: (id) => ({ url: address.replace(`{${name}}`, id) + query }) };
  });
}
/** An order of a pack, or its preview. */
function packOf(call: string, subject: object): Try {
  const [, url = ''] = call.split(' ');
  const id = url.endsWith('/preview') ? {} : { id: randomUUID() };
  return { url, body: { ...id, marketplace: 'ozon', template: '{№}', subject } };
}
/** A call with the id elsewhere. */
function elsewhere(noun: string, foreign: readonly (keyof Owned)[], field: string, send: Row['send']): Row {
  return { field, noun, foreign, send };
}

/** Every field of the contract that takes the id of something that an account owns. */
const ROWS: Row[] = [
  ...inPath('video', ANY_GENERATION, [
    'GET /api/analyze-video/{id} id',
    'GET /api/videos/{id}/download-access id',
    'POST /api/videos/{id}/prepare id',
    'GET /api/video-proxy/{id} id',
    'GET /api/video-proxy-full/{id} id',
  ]),
  ...inPath('generation', ANY_GENERATION, [
    'GET /api/change-model/status/{requestId} requestId',
    'GET /api/photosession/{id}/status id',
    'GET /api/photosession/{id}/archive id',
    'GET /api/generations/{id} id',
    'POST /api/generations/{id}/cancel id',
    'POST /api/generations/{id}/reroll id',
    'POST /api/generations/{id}/return-lost-stars id',
    'GET /media/results/{generationId}/{position}/image generationId',
    'GET /media/results/{generationId}/{position}/poster generationId',
    'GET /media/results/{generationId}/{position}/thumbnail generationId',
    'GET /media/deleted/{generationId}/{position}/poster generationId',
  ]),
  ...inPath('image', ITEMS, [
    'DELETE /api/gallery/{id} id',
    'POST /api/gallery/{id}/restore id',
    'DELETE /api/gallery/deleted/{id} id',
    'POST /api/gallery/{id}/pick id',
    'GET /api/results/{id}/export id',
    'GET /api/results/{id}/garment-crops/{side} id',
    'GET /api/results/{id}/report id',
  ]),
  ...inPath(
    'photo',
    ['photo'],
    [
      'GET /media/photos/{id}/preview id',
      'GET /media/photos/{id}/thumbnail id',
      'GET /api/photos/{id} id',
      'GET /api/photos/{id}/subject id',
      'DELETE /api/photos/{id} id',
    ],
  ),
  ...inPath('product', ['product'], ['GET /api/products/{id} id', 'DELETE /api/products/{id} id']),
  elsewhere('product', ['product'], 'PATCH /api/products/{id} id', (id) => ({
    url: `/api/products/${id}`,
    body: { article: 'ART-1' },
  })),
  ...inPath('session', ['session'], ['DELETE /api/account/sessions/{id} id']),
  ...inPath('set', ['set'], ['DELETE /api/setting-sets/{id} id']),
  elsewhere('set', ['set'], 'PATCH /api/setting-sets/{id} id', (id) => ({
    url: `/api/setting-sets/${id}`,
    body: { name: 'Лето' },
  })),
  ...inPath(
    'batch',
    ['batch'],
    [
      'GET /api/batches/{id} id',
      'DELETE /api/batches/{id} id',
      'POST /api/batches/{id}/pause id',
      'POST /api/batches/{id}/stop id',
      'POST /api/batches/{id}/seen id',
    ],
  ),
  ...inPath('pack', ['pack'], ['GET /api/packs/{id}/file id', 'DELETE /api/packs/{id} id']),
  ...(['POST /api/packs', 'POST /api/packs/preview'] as const).flatMap((call) => [
    elsewhere('batch', ['batch'], `${call} batchId`, (batchId) => packOf(call, { batchId })),
    elsewhere('product', ['product'], `${call} productId`, (productId) => packOf(call, { productId })),
    elsewhere('image', ITEMS, `${call} itemIds`, (id) => packOf(call, { itemIds: [id] })),
  ]),
  ...Object.entries(BATCH_CALLS).map(([call, { path, ...sent }]) =>
    elsewhere('batch', ['batch'], `${call} id`, (id) => ({ url: `/api/batches/${id}${path}`, ...sent })),
  ),
  elsewhere('photo', ['photo'], 'POST /api/batches personPhotoId', (personPhotoId) => ({
    url: '/api/batches',
    body: { id: randomUUID(), set: TRY_ON, personPhotoId },
  })),
  elsewhere('photo', ['photo'], 'PATCH /api/batches/{id} personPhotoId', (personPhotoId, _ownPhoto, ownBatch) => ({
    url: `/api/batches/${ownBatch}`,
    body: { personPhotoId },
  })),
  elsewhere('photo', ['photo'], 'POST /api/batches/{id}/rows photoId', (photoId, _ownPhoto, ownBatch) => ({
    url: `/api/batches/${ownBatch}/rows`,
    body: { rows: [{ id: randomUUID(), name: 'a.jpg', photoId }] },
  })),
  elsewhere('photo', ['photo'], 'POST /api/batches/queue photoId', (photoId) => ({
    url: '/api/batches/queue',
    body: { rowId: randomUUID(), set: VIDEO, photoId, agreedStars: 1 },
  })),
  elsewhere('photo', ['photo'], 'POST /api/batches/queue personPhotoId', (personPhotoId, photoId) => ({
    url: '/api/batches/queue',
    body: { rowId: randomUUID(), set: VIDEO, photoId, personPhotoId, agreedStars: 1 },
  })),
  ...inPath('push_device', ['device'], ['DELETE /api/notifications/devices/{id} id']),
  ...inPath(
    'invoice',
    ['invoice'],
    ['GET /api/payments/invoices/{id} id', 'POST /api/payments/invoices/{id}/dismiss id'],
  ),
  elsewhere('generation', ANY_GENERATION, 'GET /api/status generationId', (id) => ({
    url: `/api/status?generationId=${id}`,
  })),
  elsewhere('generation', ANY_GENERATION, 'GET /api/retrieve-video generationId', (id) => ({
    url: `/api/retrieve-video?generationId=${id}`,
  })),
  elsewhere('generation', ANY_GENERATION, 'POST /api/notifications/seen generationIds', (id) => ({
    url: '/api/notifications/seen',
    body: { generationIds: [id] },
  })),
  elsewhere('photo', ['photo'], 'POST /api/generate imageId', (imageId) => ({
    url: '/api/generate',
    body: { imageId },
  })),
  elsewhere('photo', ['photo'], 'POST /api/change-model imageId', (imageId) => ({
    url: '/api/change-model',
    form: { ...form, imageId },
  })),
  elsewhere('photo', ['photo'], 'POST /api/photosession imageId', (imageId) => ({
    url: '/api/photosession',
    form: { imageId },
  })),
  elsewhere('photo', ['photo'], 'POST /api/try-on garmentImageId', (garmentImageId, ownPhoto) => ({
    url: '/api/try-on',
    body: { garmentImageId, personImageId: ownPhoto },
  })),
  elsewhere('photo', ['photo'], 'POST /api/try-on personImageId', (personImageId, ownPhoto) => ({
    url: '/api/try-on',
    body: { garmentImageId: ownPhoto, personImageId },
  })),
  elsewhere('image', ITEMS, 'POST /api/results/{id}/report id', (id) => ({
    url: `/api/results/${id}/report`,
    body: { reason: 'minor' },
  })),
  elsewhere('photo', ['photo'], 'POST /api/products/assign photoIds', (id) => ({
    url: '/api/products/assign',
    body: { article: 'ART-1', photoIds: [id] },
  })),
  elsewhere('image', ITEMS, 'POST /api/products/assign itemIds', (id) => ({
    url: '/api/products/assign',
    body: { article: 'ART-1', itemIds: [id] },
  })),
  elsewhere('image', ITEMS, 'POST /api/gallery/rename ids', (id) => ({
    url: '/api/gallery/rename',
    body: { ids: [id], title: 'Платье' },
  })),
  elsewhere('image', ITEMS, 'GET /api/gallery/archive ids', (id) => ({ url: `/api/gallery/archive?ids=${id}` })),
  elsewhere('image', ITEMS, 'POST /api/download-image imageId', (imageId) => ({
    url: '/api/download-image',
    body: { imageId },
  })),
  elsewhere('image', ANY_GENERATION, 'POST /api/download-image url', (id) => ({
    url: '/api/download-image',
    body: { url: `/media/results/${id}/0/image` },
  })),
];

const A_FILE = { content: Buffer.from('photo'), name: 'photo.jpg', type: 'image/jpeg' };
const IS_ROW = 'a row of the batch that `id` names; of another one it is unknown';
const IS_LIST = 'a place in the list of the caller, whose rows alone are read';
const IS_ADMIN = 'an administrator may look at everybody; who is none is refused before anything is looked up';
const IS_CATALOGUE = 'the catalogue is the same for everybody';
const IS_SECRET = 'the id is a secret of its own, made to be used without a session';
/** Fields that look like those above, with the reason why no account owns what they name. */
const NOT_OWNED: Record<string, string> = {
  'GET /api/gallery cursor': IS_LIST,
  'GET /api/videos cursor': IS_LIST,
  'GET /api/results cursor': IS_LIST,
  'GET /api/products cursor': IS_LIST,
  'GET /api/photos cursor': IS_LIST,
  'GET /api/batches cursor': IS_LIST,
  'POST /api/batches id': 'made by the client; a test of its own sends one of somebody else',
  'POST /api/packs id': 'made by the client; a test of its own sends one of somebody else',
  'POST /api/batches/queue rowId': 'made by the client; a test of its own sends one of somebody else',
  'POST /api/batches/{id}/rows/{row}/photo row': IS_ROW,
  'POST /api/batches/{id}/rows/{row}/unsent row': IS_ROW,
  'PATCH /api/batches/{id}/rows/{row} row': IS_ROW,
  'POST /api/batches/{id}/rows/{row}/redo row': IS_ROW,
  'POST /api/batches/{id}/rows/keep rowIds': IS_ROW,
  'POST /api/batches/{id}/rows/remove rowIds': IS_ROW,
  'POST /api/batches/{id}/repeat rowIds': IS_ROW,
  'POST /api/batches/{id}/review rowId': IS_ROW,
  'POST /api/batches/{id}/rows id': 'made by the client; one of another batch is refused',
  'GET /api/gallery/deleted cursor': IS_LIST,
  'GET /api/stars/history cursor': IS_LIST,
  'GET /api/admin/payments accountId': IS_ADMIN,
  'GET /api/admin/payments cursor': IS_ADMIN,
  'GET /api/admin/users cursor': IS_ADMIN,
  'GET /api/admin/interview-requests cursor': IS_ADMIN,
  'GET /api/admin/audit cursor': IS_ADMIN,
  'GET /api/admin/users/{id}/stars id': IS_ADMIN,
  'POST /api/admin/users/{id}/correction id': IS_ADMIN,
  'POST /api/admin/payments/{id}/refund id': IS_ADMIN,
  'POST /api/admin/engine-outages/{id}/trial id': IS_ADMIN,
  'GET /api/admin/reports cursor': IS_ADMIN,
  'GET /api/admin/reports/{id}/result id': IS_ADMIN,
  'GET /api/admin/reports/{id}/preview id': IS_ADMIN,
  'GET /api/admin/reports/{id}/photos/{position} id': IS_ADMIN,
  'POST /api/admin/reports/{id}/decision id': IS_ADMIN,
  'POST /api/admin/interview-requests/{id}/grant id': IS_ADMIN,
  'POST /api/change-model modelImageUrl': IS_CATALOGUE,
  'POST /api/change-model backgroundImageUrl': IS_CATALOGUE,
  'POST /api/payments/create-invoice packageId': IS_CATALOGUE,
  'POST /api/payments/webhook/{provider} provider': 'names a kind of provider, not a thing',
  'GET /api/results/{id}/garment-crops/{side} side': 'the photo or the result, of what `id` names',
  'POST /api/engines/{name}/{secret} name': 'names an engine, not a thing',
  'POST /api/engines/{name}/{secret} secret': IS_SECRET,
  'POST /api/telegram/link token': IS_SECRET,
  'POST /api/telegram/link-preview token': IS_SECRET,
  'POST /api/telegram/part token': IS_SECRET,
  'POST /api/analytics/event video_id': 'is counted as a text; nothing is looked up by it',
};
/** Calls outside the contract with a parameter in their path, with the reason why no account owns what it names. */
const BESIDE_CONTRACT: Record<string, string> = {
  '/sandbox/pay/:id': IS_SECRET,
  '/sandbox/pay/:id/leave': IS_SECRET,
  '/sandbox/pay/:id/pay': IS_SECRET,
  '/sandbox/pay/:id/decline': IS_SECRET,
  '/sandbox/assets/fonts/:file': 'letters of a page',
  '/dev/mailbox/:name': 'the mailbox of a developer; production has none',
  '/dev/mailbox/:name/html': 'the mailbox of a developer; production has none',
};

const testApp = useTestApp();
let owned: Owned;
let ownerId: number;
beforeAll(async () => {
  const { app } = testApp;
  ({ id: ownerId } = await createAccount(app));
  await signIn(ownerId);
  const session = await app.db.session.findFirstOrThrow({ where: { accountId: ownerId } });
  const device = await app.db.pushSubscription.create({
    data: { accountId: ownerId, sessionId: session.id, endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' },
  });
  const invoice = await app.db.payment.create({
    data: { accountId: ownerId, provider: 'sandbox', packageName: 'Показ', stars: 50, amountMinor: 199_000 },
  });
  const set = await app.db.settingSet.create({
    data: { accountId: ownerId, kind: 'video', name: 'Зима', nameKey: 'зима', settings: {} },
  });
  const [image, modelChange, video] = [
    await createImageResult(app, ownerId, { width: 300, height: 400 }),
    await createImageResult(app, ownerId, { kind: 'model_change', width: 300, height: 400 }),
    await createVideoResult(app, ownerId),
  ];
  owned = {
    photo: (await createPhoto(app, ownerId)).id,
    product: (await app.db.product.create({ data: { accountId: ownerId, article: 'A-1', articleKey: 'a-1' } })).id,
    unfinished: await createGeneration(app, ownerId, 'video', 'generating'),
    video: video.generationId,
    modelChange: modelChange.generationId,
    photosession: image.generationId,
    image: image.id,
    session: session.id,
    invoice: invoice.id,
    device: device.id,
    set: set.id,
    batch: await createBatch(ownerId),
    pack: await createPack(ownerId),
  };
});

async function createBatch(accountId: number): Promise<string> {
  const data = { id: randomUUID(), accountId, kind: 'video', name: 'Партия', settings: {} } as const;
  return (await testApp.app.db.batch.create({ data })).id;
}

async function createPack(accountId: number): Promise<string> {
  const names = { title: 'Партия', template: '{№}', fileName: 'pack.zip' };
  const data = { id: randomUUID(), accountId, marketplace: 'ozon', resultIds: [], ...names };
  return (await testApp.app.db.pack.create({ data })).id;
}

async function signIn(accountId: number): Promise<string> {
  const { token } = await startSession(testApp.app.db, accountId, { userAgent: 'test', sessionToken: null });
  return `podium_session=${token}`;
}

/**
 * Signs in a new account with stars, a payment and a photo, so that only ownership can be the reason of a refusal. It is
 * new each time, because limits count by account.
 */
async function signInSomebody(): Promise<{ cookie: string; ownPhoto: string; ownBatch: string }> {
  const { id } = await createAccount(testApp.app, { isPaid: true, stars: 5 });
  const ownPhoto = (await createStoredPhoto(testApp.app, id)).id;
  return { cookie: await signIn(id), ownPhoto, ownBatch: await createBatch(id) };
}

async function send(cookie: string, method: string, { url, body, form: fields, file }: Try) {
  const sent =
    fields &&
    (await encodeForm([...Object.entries(fields), ...(file ? [[file, A_FILE] as [string, typeof A_FILE]] : [])]));
  return testApp.server.inject({
    method: method as 'GET',
    url,
    // A player asks for a range.
    headers: { cookie, range: 'bytes=0-9', ...sent?.headers },
    payload: sent?.body ?? body,
  });
}

function methodsOf({ field }: Row): string[] {
  const method = field.split(' ')[0] ?? '';
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The status and the code of an answer that must contain only an error. For HEAD only the status. */
function readRefusal(answer: Awaited<ReturnType<typeof send>>, method: string): unknown[] {
  const telling = ['etag', 'content-range', 'content-disposition', 'last-modified', 'set-cookie'];
  expect(Object.keys(answer.headers).filter((header) => telling.includes(header))).toEqual([]);
  if (method === 'HEAD') {
    expect(answer.body).toBe('');
    return [answer.statusCode];
  }
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { code, message, ...rest } = answer.json();
  expect(message).toMatch(/[а-яё]/i);
  expect(rest).toEqual({});
  return [answer.statusCode, code];
}

/** The refusal of an item of the gallery says what it is. */
function nounOf({ noun, foreign }: Row, what: keyof Owned): string {
  return foreign === ITEMS && what !== 'image' ? 'video' : noun;
}

describe.each(ROWS)('$field', (row) => {
  const { noun } = row;

  test('is refused as unknown where nobody has the id', async () => {
    const { cookie, ownPhoto, ownBatch } = await signInSomebody();
    for (const method of methodsOf(row)) {
      for (const id of [randomUUID(), createRowId()]) {
        const answer = await send(cookie, method, row.send(id, ownPhoto, ownBatch));
        const expected = method === 'HEAD' ? [404] : [404, `${noun}_not_found`];
        expect(readRefusal(answer, method)).toEqual(expected);
      }
    }
  });

  test.each([...row.foreign])('is forbidden for the %s of somebody else', async (what) => {
    const { cookie, ownPhoto, ownBatch } = await signInSomebody();
    for (const method of methodsOf(row)) {
      const answer = await send(cookie, method, row.send(owned[what], ownPhoto, ownBatch));
      const expected = method === 'HEAD' ? [403] : [403, `${nounOf(row, what)}_forbidden`];
      expect(readRefusal(answer, method)).toEqual(expected);
    }
  });

  test('is refused where it cannot be an id', async () => {
    const { cookie, ownPhoto, ownBatch } = await signInSomebody();
    const ids = ['x', '1', "1'%20or%20'1'='1", '..%2f..%2fsecrets', '%D1%8F', '%20'];
    for (const id of [...ids, '0'.repeat(65), '0'.repeat(5000)]) {
      const answer = await send(cookie, methodsOf(row)[0] ?? '', row.send(id, ownPhoto, ownBatch));
      expect([400, 404], id).toContain(answer.statusCode);
      expect(answer.json().code).toEqual(expect.any(String));
    }
  });
});

test('none of these tries has changed anything', async () => {
  const { db } = testApp.app;
  expect(await db.session.count({ where: { accountId: ownerId } })).toBe(1);
  expect(await db.pushSubscription.count({ where: { accountId: ownerId } })).toBe(1);
  expect(await db.payment.count({ where: { accountId: ownerId, dismissedAt: null } })).toBe(1);
  expect(await db.result.count({ where: { accountId: ownerId, deletedAt: null } })).toBe(3);
  expect(await db.generation.count({ where: { accountId: ownerId, status: 'generating', seenAt: null } })).toBe(1);
  expect(await db.generation.count({ where: { accountId: { not: ownerId } } })).toBe(0);
  expect(await db.resultReport.count()).toBe(0);
  expect(await db.videoCopyOrder.count()).toBe(0);
  expect(await db.settingSet.count({ where: { accountId: ownerId, name: 'Зима' } })).toBe(1);
});

test('a list of ids with one of somebody else among them is refused as a whole', async () => {
  const accountId = (await createAccount(testApp.app)).id;
  const own = await createGeneration(testApp.app, accountId, 'photosession');
  const body = { generationIds: [own, owned.photosession] };
  const answer = await send(await signIn(accountId), 'POST', { url: '/api/notifications/seen', body });
  expect(answer.statusCode).toBe(403);
  expect(await testApp.app.db.generation.findUnique({ where: { id: own } })).toMatchObject({ seenAt: null });

  const buyer = await createAccount(testApp.app, { isPaid: true });
  const { id } = await createImageResult(testApp.app, buyer.id, { width: 300, height: 400 });
  const archive = { url: `/api/gallery/archive?ids=${id},${owned.image}` };
  expect(readRefusal(await send(await signIn(buyer.id), 'GET', archive), 'GET')).toEqual([403, 'image_forbidden']);
});

describe('the list above', () => {
  test('has every field of the contract that takes an id', async () => {
    const { paths } = (await testApp.server.inject('/api/docs/json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const fields = Object.entries(paths).flatMap(([path, calls]) =>
      Object.entries(calls).flatMap(([method, operation]) =>
        listIdFields(operation).map((name) => `${method.toUpperCase()} ${path} ${name}`),
      ),
    );
    const listed = [...ROWS.map(({ field }) => field), ...Object.keys(NOT_OWNED)];
    expect(fields.sort()).toEqual(listed.sort());
  });

  test('has every call beside the contract that takes one', async () => {
    const { paths } = (await testApp.server.inject('/api/docs/json')).json<{ paths: Record<string, unknown> }>();
    const described = new Set(Object.keys(paths).map((path) => path.replace(/\{(\w+)\}/g, ':$1')));
    const routes = listRoutes(testApp.server.printRoutes({ commonPrefix: false }));
    expect(routes.length).toBeGreaterThan(100);
    const beside = routes.filter((route) => route.includes(':') && !described.has(route));
    expect(beside.sort()).toEqual(Object.keys(BESIDE_CONTRACT).sort());
  });
});
