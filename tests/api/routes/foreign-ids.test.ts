import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRowId } from '#api/db.ts';
import { startSession } from '#api/services/sessions.ts';
import {
  createAccount,
  createGeneration,
  createImageResult,
  createPhoto,
  createVideoResult,
} from '#tests/support/factories.ts';
import { encodeForm } from '#tests/support/forms.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** What somebody else owns; `unfinished` is a video in the making. */
interface Owned {
  photo: string;
  video: string;
  unfinished: string;
  modelChange: string;
  photosession: string;
  image: string;
  session: string;
  invoice: string;
  device: string;
}
interface Try {
  url: string;
  body?: object;
  form?: Record<string, string>;
}
interface Row {
  /** The call and the field that takes the id, as OpenAPI names them. */
  field: string;
  /** Of the codes: `<noun>_not_found`, `<noun>_forbidden`. */
  noun: string;
  foreign: (keyof Owned)[];
  send: (id: string) => Try;
}

const ANY_GENERATION = ['video', 'unfinished', 'modelChange', 'photosession'] as const satisfies (keyof Owned)[];
const form = { modelImageUrl: '/attached_assets/woman/w1.webp', backgroundImageUrl: '/backgrounds/dunes.webp' };

/** Every field of every call that takes the id of something that one account owns. */
const ROWS: Row[] = [
  ...['GET /api/status', 'GET /api/retrieve-video'].map(
    (call): Row => ({
      field: `${call} generationId`,
      noun: 'generation',
      foreign: [...ANY_GENERATION],
      send: (id) => ({ url: `${call.split(' ')[1]}?generationId=${id}` }),
    }),
  ),
  ...['analyze-video/{id}', 'videos/{id}/download-access', 'video-proxy/{id}', 'video-proxy-full/{id}'].map(
    (path): Row => ({
      field: `GET /api/${path} id`,
      noun: 'video',
      foreign: [...ANY_GENERATION],
      send: (id) => ({ url: `/api/${path.replace('{id}', id)}` }),
    }),
  ),
  {
    field: 'GET /api/photos/{id}/subject id',
    noun: 'photo',
    foreign: ['photo'],
    send: (id) => ({ url: `/api/photos/${id}/subject` }),
  },
  {
    field: 'GET /api/change-model/status/{requestId} requestId',
    noun: 'generation',
    foreign: [...ANY_GENERATION],
    send: (id) => ({ url: `/api/change-model/status/${id}` }),
  },
  ...['status', 'archive'].map(
    (what): Row => ({
      field: `GET /api/photosession/{id}/${what} id`,
      noun: 'generation',
      foreign: [...ANY_GENERATION],
      send: (id) => ({ url: `/api/photosession/${id}/${what}` }),
    }),
  ),
  {
    field: 'POST /api/generations/{id}/cancel id',
    noun: 'generation',
    foreign: [...ANY_GENERATION],
    send: (id) => ({ url: `/api/generations/${id}/cancel` }),
  },
  {
    field: 'POST /api/notifications/seen generationIds',
    noun: 'generation',
    foreign: [...ANY_GENERATION],
    send: (id) => ({ url: '/api/notifications/seen', body: { generationIds: [id] } }),
  },
  ...['image', 'poster', 'thumbnail'].map(
    (picture): Row => ({
      field: `GET /media/results/{generationId}/{position}/${picture} generationId`,
      noun: 'generation',
      foreign: [...ANY_GENERATION],
      send: (id) => ({ url: `/media/results/${id}/0/${picture}` }),
    }),
  ),
  ...['preview', 'thumbnail'].map(
    (picture): Row => ({
      field: `GET /media/photos/{id}/${picture} id`,
      noun: 'photo',
      foreign: ['photo'],
      send: (id) => ({ url: `/media/photos/${id}/${picture}` }),
    }),
  ),
  {
    field: 'POST /api/generate imageId',
    noun: 'photo',
    foreign: ['photo'],
    send: (id) => ({ url: '/api/generate', body: { imageId: id } }),
  },
  {
    field: 'POST /api/change-model imageId',
    noun: 'photo',
    foreign: ['photo'],
    send: (id) => ({ url: '/api/change-model', form: { ...form, imageId: id } }),
  },
  {
    field: 'POST /api/photosession imageId',
    noun: 'photo',
    foreign: ['photo'],
    send: (id) => ({ url: '/api/photosession', form: { imageId: id } }),
  },
  {
    field: 'DELETE /api/gallery/{id} id',
    noun: 'image',
    foreign: ['image', 'video', 'unfinished'],
    send: (id) => ({ url: `/api/gallery/${id}` }),
  },
  ...['restore', 'pick'].map(
    (act): Row => ({
      field: `POST /api/gallery/{id}/${act} id`,
      noun: 'image',
      foreign: ['image', 'video', 'unfinished'],
      send: (id) => ({ url: `/api/gallery/${id}/${act}` }),
    }),
  ),
  {
    field: 'GET /api/gallery/archive ids',
    noun: 'image',
    foreign: ['image', 'video', 'unfinished'],
    send: (id) => ({ url: `/api/gallery/archive?ids=${id}` }),
  },
  {
    field: 'GET /api/results/{id}/export id',
    noun: 'image',
    foreign: ['image', 'video', 'unfinished'],
    send: (id) => ({ url: `/api/results/${id}/export?fix=crop_3_4` }),
  },
  {
    field: 'POST /api/download-image imageId',
    noun: 'image',
    foreign: ['image', 'video', 'unfinished'],
    send: (id) => ({ url: '/api/download-image', body: { imageId: id } }),
  },
  {
    field: 'POST /api/download-image url',
    noun: 'image',
    foreign: [...ANY_GENERATION],
    send: (id) => ({ url: '/api/download-image', body: { url: `/media/results/${id}/0/image` } }),
  },
  {
    field: 'DELETE /api/account/sessions/{id} id',
    noun: 'session',
    foreign: ['session'],
    send: (id) => ({ url: `/api/account/sessions/${id}` }),
  },
  {
    field: 'POST /api/payments/invoices/{id}/dismiss id',
    noun: 'invoice',
    foreign: ['invoice'],
    send: (id) => ({ url: `/api/payments/invoices/${id}/dismiss` }),
  },
  {
    field: 'DELETE /api/notifications/devices/{id} id',
    noun: 'push_device',
    foreign: ['device'],
    send: (id) => ({ url: `/api/notifications/devices/${id}` }),
  },
];

const IS_LIST = 'a place in the list of the caller, whose rows alone are read';
const IS_ADMIN = 'an administrator may look at everybody; who is none is refused before anything is looked up';
const IS_CATALOGUE = 'the catalogue is the same for everybody';
const IS_SECRET = 'the id is a secret of its own, made to be used without a session';
/** Fields that look like those above, and why nobody owns what they name. */
const NOT_OWNED: Record<string, string> = {
  'GET /api/gallery cursor': IS_LIST,
  'GET /api/videos cursor': IS_LIST,
  'GET /api/stars/history cursor': IS_LIST,
  'GET /api/admin/payments accountId': IS_ADMIN,
  'GET /api/admin/payments cursor': IS_ADMIN,
  'GET /api/admin/users cursor': IS_ADMIN,
  'GET /api/admin/interview-requests cursor': IS_ADMIN,
  'GET /api/admin/audit cursor': IS_ADMIN,
  'GET /api/admin/users/{id}/stars id': IS_ADMIN,
  'POST /api/admin/users/{id}/correction id': IS_ADMIN,
  'POST /api/admin/payments/{id}/refund id': IS_ADMIN,
  'POST /api/admin/interview-requests/{id}/grant id': IS_ADMIN,
  'POST /api/change-model modelImageUrl': IS_CATALOGUE,
  'POST /api/change-model backgroundImageUrl': IS_CATALOGUE,
  'POST /api/payments/create-invoice packageId': IS_CATALOGUE,
  'GET /api/payments/invoices/{id} id': IS_SECRET,
  'POST /api/payments/webhook/{provider} provider': 'names a kind of provider, not a thing',
  'POST /api/telegram/link token': IS_SECRET,
  'POST /api/telegram/link-preview token': IS_SECRET,
  'POST /api/analytics/event video_id': 'is counted as a text; nothing is looked up by it',
};
/** Calls beside the contract that take something by its name, and why nobody owns it. */
const BESIDE_CONTRACT: Record<string, string> = {
  '/sandbox/pay/:id': IS_SECRET,
  '/sandbox/pay/:id/leave': IS_SECRET,
  '/sandbox/pay/:id/pay': IS_SECRET,
  '/sandbox/pay/:id/decline': IS_SECRET,
  '/sandbox/assets/fonts/:file': 'letters of a page',
  '/dev/mailbox/:name': 'the mailbox of a developer; production has none',
  '/dev/mailbox/:name/html': 'the mailbox of a developer; production has none',
};

let testApp: TestApp;
let owned: Owned;
let ownerId: number;
beforeAll(async () => {
  testApp = await createTestApp();
  const { app } = testApp;
  ({ id: ownerId } = await createAccount(app));
  await signIn(ownerId);
  const session = await app.db.session.findFirstOrThrow({ where: { accountId: ownerId } });
  const device = await app.db.pushSubscription.create({
    data: { accountId: ownerId, sessionId: session.id, endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' },
  });
  const invoice = await app.db.payment.create({
    data: { accountId: ownerId, provider: 'sandbox', packageName: 'Показ', stars: 50, amountKopecks: 199_000 },
  });
  const [image, modelChange, video] = [
    await createImageResult(app, ownerId, { width: 300, height: 400 }),
    await createImageResult(app, ownerId, { kind: 'model_change', width: 300, height: 400 }),
    await createVideoResult(app, ownerId),
  ];
  owned = {
    photo: (await createPhoto(app, ownerId)).id,
    unfinished: await createGeneration(app, ownerId, 'video', 'generating'),
    ...{ video: video.generationId, modelChange: modelChange.generationId, photosession: image.generationId },
    ...{ image: image.id, session: session.id, invoice: invoice.id, device: device.id },
  };
});
afterAll(() => testApp.close());

async function signIn(accountId: number): Promise<string> {
  const { token } = await startSession(testApp.app.db, accountId, { userAgent: 'test', sessionToken: null });
  return `podium_session=${token}`;
}

/** Somebody with stars and a payment, so that nothing but the owner stands in the way. Limits count by account. */
async function signInSomebody(): Promise<string> {
  return signIn((await createAccount(testApp.app, { isPaid: true, stars: 5 })).id);
}

async function send(cookie: string, method: string, { url, body, form: fields }: Try) {
  const sent = fields && (await encodeForm(Object.entries(fields)));
  return testApp.server.inject({
    method: method as 'GET',
    url,
    // What a player or a browser with a copy of the file asks with.
    headers: { cookie, range: 'bytes=0-9', ...sent?.headers },
    payload: sent?.body ?? body,
  });
}

function methodsOf({ field }: Row): string[] {
  const method = field.split(' ')[0] ?? '';
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The status and code of an answer that is nothing but an error; of HEAD the status. */
function readRefusal(answer: Awaited<ReturnType<typeof send>>, method: string): unknown[] {
  for (const header of ['etag', 'content-range', 'content-disposition', 'last-modified', 'set-cookie']) {
    expect(answer.headers, header).not.toHaveProperty(header);
  }
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

describe.each(ROWS)('$field', (row) => {
  const { noun } = row;

  test('is refused as unknown where nobody has the id', async () => {
    const cookie = await signInSomebody();
    for (const method of methodsOf(row)) {
      for (const id of [randomUUID(), createRowId()]) {
        const answer = await send(cookie, method, row.send(id));
        const expected = method === 'HEAD' ? [404] : [404, `${noun}_not_found`];
        expect(readRefusal(answer, method)).toEqual(expected);
      }
    }
  });

  test.each(row.foreign)('is forbidden for the %s of somebody else', async (what) => {
    const cookie = await signInSomebody();
    for (const method of methodsOf(row)) {
      const answer = await send(cookie, method, row.send(owned[what]));
      const expected = method === 'HEAD' ? [403] : [403, `${noun}_forbidden`];
      expect(readRefusal(answer, method)).toEqual(expected);
    }
  });

  test('is refused where it cannot be an id', async () => {
    const cookie = await signInSomebody();
    for (const id of ['x', '1', "1'%20or%20'1'='1", '..%2f..%2fsecrets', '%D1%8F', '0'.repeat(65), '%20']) {
      const answer = await send(cookie, methodsOf(row)[0] ?? '', row.send(id));
      expect([400, 404], id).toContain(answer.statusCode);
      expect(answer.json().code).toEqual(expect.any(String));
    }
  });
});

test('all that was tried has changed nothing', async () => {
  const { db } = testApp.app;
  expect(await db.session.count({ where: { accountId: ownerId } })).toBe(1);
  expect(await db.pushSubscription.count({ where: { accountId: ownerId } })).toBe(1);
  expect(await db.payment.count({ where: { accountId: ownerId, dismissedAt: null } })).toBe(1);
  expect(await db.result.count({ where: { accountId: ownerId, deletedAt: null } })).toBe(3);
  expect(await db.generation.count({ where: { accountId: ownerId, status: 'generating', seenAt: null } })).toBe(1);
  expect(await db.generation.count({ where: { accountId: { not: ownerId } } })).toBe(0);
});

test('a list of ids with one of somebody else among them is refused as a whole', async () => {
  const accountId = (await createAccount(testApp.app)).id;
  const own = await createGeneration(testApp.app, accountId, 'photosession');
  const body = { generationIds: [own, owned.photosession] };
  const answer = await send(await signIn(accountId), 'POST', { url: '/api/notifications/seen', body });
  expect(answer.statusCode).toBe(403);
  expect(await testApp.app.db.generation.findUnique({ where: { id: own } })).toMatchObject({ seenAt: null });
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

interface Schema {
  properties?: Record<string, unknown>;
  anyOf?: Schema[];
}
interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Parameters of the path but the place within a result, and whatever else is named like an id. */
function listIdFields({ parameters = [], requestBody }: Operation): string[] {
  const names = parameters
    .filter((parameter) => (parameter.in === 'path' ? parameter.name !== 'position' : looksLikeId(parameter.name)))
    .map(({ name }) => name);
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  return [...names, ...new Set(schemas.flatMap(listProperties).filter(looksLikeId))];
}

function listProperties({ properties = {}, anyOf = [] }: Schema): string[] {
  return [...Object.keys(properties), ...anyOf.flatMap(listProperties)];
}

function looksLikeId(name: string): boolean {
  return /(^id|Id|_id|^url|Url|cursor|token)s?$/.test(name);
}

/** Whole addresses out of Fastify's tree, where each line holds what follows on the one above it. */
function listRoutes(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line.includes('── '))
    .map((line) => {
      const depth = line.indexOf('── ');
      const part = line.slice(depth + 3).replace(/ \([A-Z, ]+\)$/, '');
      parents.length = (depth - 1) / 4;
      const parent = parents.at(-1) ?? '';
      const route = (parent === '/' ? '' : parent) + (part.startsWith('/') || parent !== '/' ? part : `/${part}`);
      parents.push(route);
      return route;
    });
}
