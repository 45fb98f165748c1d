import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { purgeStored } from '#pwa/device/storage.ts';
import type { ConsentedStart } from '#pwa/features/consent/consented-start.ts';
import { putInFolder } from '#pwa/features/uploads/photo-folder.ts';
import { readWait } from '#pwa/features/uploads/queued-upload.ts';
import {
  forgetQueuedUpload,
  giveUpQueuedUpload,
  queueFile,
  queueStart,
  readQueuedUpload,
  resumeAfterConsent,
  retryQueuedUpload,
  sendQueuedUploads,
  subscribeUploads,
  withdrawStart,
} from '#pwa/features/uploads/upload-queue.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';
import { until } from '#tests/support/until.ts';

const UPLOAD = '/api/upload';
const START = '/api/photosession';
const HOUR_MS = 60 * 60 * 1000;
const MAX_TRIES = 8;
const FILE = new File(['new'], 'new.jpg', { type: 'image/jpeg' });

/** The device's owner, another one in each test, so that no test finds what the previous one left. */
let userId = 1000;
let sent: Record<'path' | 'key' | 'price' | 'imageId', unknown>[];
/** What the server answers, by path. */
let answers: Record<string, () => Response | Promise<Response>>;

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => {
  userId += 1;
  sent = [];
  answers = {
    [UPLOAD]: () => Response.json(photo('new')),
    [START]: () => Response.json({ sessionId: 'g1' }),
    '/api/generate': () => Response.json({ generationId: 'g2', videoId: 'g2' }),
  };
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const imageId = init.body instanceof FormData ? init.body.get('imageId') : JSON.parse(String(init.body)).imageId;
    sent.push({ path, key: headers.get('idempotency-key'), price: headers.get('x-agreed-price'), imageId });
    return answers[path]?.() ?? Response.error();
  });
});
afterEach(() => vi.useRealTimers());
afterAll(() => vi.unstubAllGlobals());

describe('a photo that waits', () => {
  test('is sent once, by any tab, and starts nothing by itself', async () => {
    await queueFile(userId, 'photosession', FILE);
    expect(await Promise.all([send(), send()])).toEqual([null, null]);
    expect(pathsSent()).toEqual([UPLOAD]);
    expect(await queued()).toMatchObject({ file: null, photo: { id: 'new' }, start: null, generationId: null });
  });

  test('is sent with the name of the folder that it comes from', async () => {
    answers[`${UPLOAD}?folder=ART-123`] = () => Response.json(photo('new'));
    await queueFile(userId, 'photosession', putInFolder(new File(['x'], 'x.jpg'), 'ART-123'));
    await send();
    expect(pathsSent()).toEqual([`${UPLOAD}?folder=ART-123`]);
  });

  test('is replaced by a newer one for good, even while it is on its way', async () => {
    await queueFile(userId, 'photosession', FILE);
    const upload = holdAnswer(UPLOAD);
    const sending = send();
    await upload.isAsked;
    await queueFile(userId, 'photosession', new File(['newer'], 'newer.jpg'));
    await agree({ queuedId: (await queued())?.id ?? '' });
    upload.answer(Response.json(photo('old')));
    await sending;
    expect(await queued()).toMatchObject({ file: { name: 'newer.jpg' }, photo: null, start: { price: 2 } });
    expect(pathsSent()).toEqual([UPLOAD]);
  });

  test('does not come back after a sign-out, and nothing is started for it', async () => {
    await queueAndAgree();
    const upload = holdAnswer(UPLOAD);
    const sending = send();
    await upload.isAsked;
    await purgeStored(userId);
    upload.answer(Response.json(photo('new')));
    await sending;
    expect(await queued()).toBeNull();
    expect(pathsSent()).toEqual([UPLOAD]);
  });

  test('that the server refuses says why and takes the consent with it', async () => {
    answers[UPLOAD] = () => Response.json({ message: 'Слишком мало', code: 'photo_too_small' }, { status: 400 });
    await queueAndAgree();
    expect(await send()).toBeNull();
    expect(await queued()).toMatchObject({ failure: { message: 'Слишком мало' }, start: null });
    await send();
    expect(pathsSent()).toEqual([UPLOAD]);
  });

  test('that a proxy refuses in its own words shows our text', async () => {
    answers[UPLOAD] = () => new Response('<html>', { status: 403, statusText: 'Forbidden' });
    await queueFile(userId, 'photosession', FILE);
    await send();
    expect(await queued()).toMatchObject({ failure: { message: 'Сервер не принял запрос. Попробуйте ещё раз' } });
  });
});

describe('a consent', () => {
  test('starts the photo it was given for, under the key and for the price that were kept', async () => {
    await queueFile(userId, 'photosession', FILE);
    const id = (await queued())?.id ?? '';
    await agree({ queuedId: id });
    expect(await send()).toBeNull();
    expect(sent.at(-1)).toEqual({ path: START, key: id, price: '2', imageId: 'new' });
    expect(await queued()).toMatchObject({ generationId: 'g1', failure: null });
    await send();
    expect(pathsSent()).toEqual([UPLOAD, START]);
  });

  test('that comes while its photo is being sent is acted on, with that photo', async () => {
    await queueFile(userId, 'photosession', FILE);
    const upload = holdAnswer(UPLOAD);
    const sending = send();
    await upload.isAsked;
    await agree({ queuedId: (await queued())?.id ?? '' });
    upload.answer(Response.json(photo('new')));
    await sending;
    expect(sent.at(-1)).toMatchObject({ path: START, imageId: 'new' });
  });

  test('that comes after its photo was sent starts that photo', async () => {
    await queueFile(userId, 'photosession', FILE);
    await send();
    await agree({ queuedId: (await queued())?.id ?? '' });
    await send();
    expect(sent.at(-1)).toMatchObject({ path: START, imageId: 'new' });
  });

  test('with a photo that the server has starts that one', async () => {
    await agree({ photo: photo('known') });
    await send();
    expect(sent).toMatchObject([{ path: START, imageId: 'known', price: '2' }]);
  });

  test('is not kept when something else waits than what was shown', async () => {
    await queueFile(userId, 'photosession', FILE);
    await agree({ photo: photo('known') });
    await agree({ queuedId: crypto.randomUUID() });
    await send();
    expect(pathsSent()).toEqual([UPLOAD]);
    expect((await queued())?.start).toBeNull();
  });

  test('is not acted on after a day; the photo stays', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await queueAndAgree();
    vi.setSystemTime(Date.now() + 24 * HOUR_MS + 1);
    expect(await send()).toBeNull();
    expect(pathsSent()).toEqual([UPLOAD]);
    expect(await queued()).toMatchObject({
      photo: { id: 'new' },
      start: null,
      failure: { message: expect.stringContaining('больше суток') },
    });
  });

  test('to a price that is another by now spends nothing; the photo stays', async () => {
    const message = 'Цена изменилась, поэтому ничего не запущено и не списано';
    answers[START] = () => Response.json({ message, code: 'price_changed' }, { status: 409 });
    await queueAndAgree();
    expect(await send()).toBeNull();
    expect(await queued()).toMatchObject({
      photo: { id: 'new' },
      start: null,
      generationId: null,
      failure: { message, code: 'price_changed' },
    });
  });
});

describe('what the server wants a consent to its documents for', () => {
  const refuse = () => Response.json({ code: 'consent_required', message: 'Документы обновились' }, { status: 403 });

  /** A start was agreed to without a network, and the documents have changed since. */
  beforeEach(async () => {
    answers[START] = refuse;
    await agree({ photo: photo('known') });
    expect(await send()).toBeNull();
    expect(await queued()).toMatchObject({ start: { price: 2 }, awaitsConsent: true, failure: null });
  });

  test('is not started after a day; the photo stays', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * HOUR_MS });
    await send();
    expect(await queued()).toMatchObject({ start: null, photo: { id: 'known' }, failure: { code: null } });
    expect(sent).toHaveLength(1);
  });

  test('can be taken back before', async () => {
    expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');
    await resumeAfterConsent(userId);
    await send();
    expect(sent).toHaveLength(1);
  });

  test('may be a photo without a start, which is not sent again before, and then under the same key', async () => {
    answers[UPLOAD] = refuse;
    await queueFile(userId, 'video', FILE);
    await send();
    await send();
    const waiting = await readQueuedUpload(userId, 'video');
    expect(waiting).toMatchObject({ file: { name: 'new.jpg' }, awaitsConsent: true, failure: null });
    expect(keysOf(UPLOAD)).toEqual([waiting?.id]);
    answers[UPLOAD] = () => Response.json(photo('new'));
    await resumeAfterConsent(userId);
    await send();
    expect(await readQueuedUpload(userId, 'video')).toMatchObject({ file: null, photo: { id: 'new' }, failure: null });
    expect(keysOf(UPLOAD)).toEqual([waiting?.id, waiting?.id]);
  });
});

describe('a withdrawal', () => {
  test('counts at once while the photo is being sent: nothing is started, the photo stays', async () => {
    await queueAndAgree();
    const upload = holdAnswer(UPLOAD);
    const sending = send();
    await upload.isAsked;
    expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');
    upload.answer(Response.json(photo('new')));
    await sending;
    expect(pathsSent()).toEqual([UPLOAD]);
    expect(await queued()).toMatchObject({ photo: { id: 'new' }, start: null });
  });

  test('fails as too late after the start was sent, and the start is not lost', async () => {
    await agree({ photo: photo('known') });
    const start = holdAnswer(START);
    const sending = send();
    await start.isAsked;
    expect(await withdrawStart(userId, 'photosession')).toBe('underway');
    await giveUpQueuedUpload(userId, 'photosession');
    start.answer(Response.json({ sessionId: 'g1' }));
    await sending;
    expect((await queued())?.generationId).toBe('g1');
    expect(await withdrawStart(userId, 'photosession')).toBe('underway');
  });

  test('after a start that was not answered sends no other, and says that it may have been heard', async () => {
    await queueAndAgree();
    answers[START] = () => Promise.reject(new TypeError('Failed to fetch'));
    await send();
    expect(await withdrawStart(userId, 'photosession')).toBe('unsure');
    await send();
    expect(pathsSent()).toEqual([UPLOAD, START]);
    expect(await queued()).toMatchObject({ photo: { id: 'new' }, start: null });
  });

  test('is possible again when the page that sent the start was closed over it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await agree({ photo: photo('known') });
    const start = holdAnswer(START);
    const sending = send();
    await start.isAsked;
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect(await withdrawStart(userId, 'photosession')).toBe('unsure');
    start.answer(Response.json({ sessionId: 'g1' }));
    await sending;
    expect(await queued()).toBeNull();
  });

  test('is certain when the storage cannot serve the start, unless an earlier try was not answered', async () => {
    await agree({ photo: photo('known') });
    answers[START] = cannot('storage_full', 0);
    await send();
    expect((await readQueuedWait())?.trouble).toBe(ERRORS.storage_full.message);
    expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');

    await agree({ photo: photo('known') });
    answers[START] = () => Response.error();
    await send();
    answers[START] = cannot('storage_full', 0);
    await send();
    expect(await withdrawStart(userId, 'photosession')).toBe('unsure');
  });

  test('with a photo that the page had already leaves nothing', async () => {
    await agree({ photo: photo('known') });
    expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');
    expect(await queued()).toBeNull();
    expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');
  });
});

describe('what is not answered', () => {
  test('does not keep the others waiting', async () => {
    answers[START] = () => Response.json({}, { status: 503 });
    await queueFile(userId, 'video', FILE);
    let uploads = 0;
    answers[UPLOAD] = () => (++uploads === 1 ? Response.json({}, { status: 503 }) : Response.json(photo('second')));
    await queueFile(userId, 'model_change', FILE);
    expect(await send()).toBeGreaterThan(0);
    const photos = [
      (await readQueuedUpload(userId, 'video'))?.photo,
      (await readQueuedUpload(userId, 'model_change'))?.photo,
    ];
    expect(photos.map((sent) => sent?.id).filter(Boolean)).toEqual(['second']);
  });

  test('is tried again after pauses that grow to a minute, by all tabs together', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    answers[UPLOAD] = () => Response.json({}, { status: 503 });
    await queueFile(userId, 'photosession', FILE);
    const pauses: (number | null)[] = [];
    for (let round = 1; round <= 6; round += 1) {
      const pause = await sendPatiently();
      // As another tab would.
      expect(await sendPatiently()).toBe(pause);
      expect(sent).toHaveLength(round);
      pauses.push(pause);
      vi.setSystemTime(Date.now() + (pause ?? 0));
    }
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    // A clock that is set back must not lengthen the pause. After an answer the pauses are short again.
    vi.setSystemTime(Date.now() - HOUR_MS);
    expect(await sendPatiently()).toBe(60_000);
    Object.assign(answers, { [UPLOAD]: () => Response.json(photo('new')), [START]: answers[UPLOAD] });
    await agree({ queuedId: (await queued())?.id ?? '' });
    expect(await send()).toBe(5000);
  });

  test('is tried at once when there is a connection again', async () => {
    answers[UPLOAD] = () => Promise.reject(new TypeError('Failed to fetch'));
    await queueFile(userId, 'photosession', FILE);
    await send();
    answers[UPLOAD] = () => Response.json(photo('new'));
    expect(await send()).toBeNull();
    expect((await queued())?.photo?.id).toBe('new');
  });

  test('is neither lost nor refused by a page of somebody in between', async () => {
    answers[UPLOAD] = () => new Response('<html>Wi-Fi</html>');
    await queueFile(userId, 'photosession', FILE);
    expect(await send()).toBeGreaterThan(0);
    expect(await queued()).toMatchObject({ file: { name: 'new.jpg' }, failure: null });
  });

  test('stays after eight tries until the person sends it again, and all pages hear of both', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    answers[UPLOAD] = () => Response.json({}, { status: 503 });
    await queueFile(userId, 'photosession', FILE);
    const received: boolean[] = [];
    const stop = subscribeUploads((isNew) => received.push(isNew));
    let pause: number | null = 0;
    while (pause !== null) {
      vi.setSystemTime(Date.now() + pause);
      pause = await sendPatiently();
    }
    expect(sent).toHaveLength(MAX_TRIES);
    await until(() => expect(received).toEqual([false]));
    // Neither time nor a new connection sends it.
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect([await sendPatiently(), await send()]).toEqual([null, null]);
    expect(sent).toHaveLength(MAX_TRIES);
    expect(await readQueuedWait()).toEqual({
      isStopped: true,
      trouble: null,
      isRepeated: false,
      awaitsConsent: false,
    });
    expect(await queued()).toMatchObject({ file: { name: 'new.jpg' }, failure: null });

    answers[UPLOAD] = () => Response.json(photo('new'));
    await retryQueuedUpload(userId, 'photosession');
    await until(() => expect(received).toContain(true));
    stop();
    expect(await sendPatiently()).toBeNull();
    expect((await queued())?.photo?.id).toBe('new');
    expect(new Set(keysOf(UPLOAD)).size).toBe(1);
  });

  test('is sent after its eight tries by a consent, too', async () => {
    answers[UPLOAD] = () => Response.json({}, { status: 503 });
    await queueFile(userId, 'photosession', FILE);
    for (let round = 1; round <= MAX_TRIES; round += 1) await send();
    answers[UPLOAD] = () => Response.json(photo('new'));
    expect(await send()).toBeNull();
    expect(sent).toHaveLength(MAX_TRIES);
    await agree({ queuedId: (await queued())?.id ?? '' });
    await send();
    expect((await queued())?.generationId).toBe('g1');
  });
});

describe('what the server cannot take now', () => {
  test('waits as long as the server asks, also with a new connection, and with its words', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    answers[UPLOAD] = cannot('storage_full', 300);
    await queueFile(userId, 'photosession', FILE);
    expect(await send()).toBe(300_000);
    vi.setSystemTime(Date.now() + 299_000);
    expect([await send(), await sendPatiently()]).toEqual([1000, 1000]);
    expect(sent).toHaveLength(1);
    expect(await readQueuedWait()).toEqual({
      isStopped: false,
      trouble: ERRORS.storage_full.message,
      isRepeated: false,
      awaitsConsent: false,
    });
    vi.setSystemTime(Date.now() + 1000);
    answers[UPLOAD] = () => Response.error();
    expect(await send()).toBe(10_000);
    expect((await readQueuedWait())?.trouble).toBeNull();
  });

  test('waits for the pause that the server has named to the page itself', async () => {
    const message = ERRORS.storage_full.message;
    const error = new ApiError(507, message, { message, code: 'storage_full', retryAfter: 300 });
    await queueFile(userId, 'photosession', FILE, { id: crypto.randomUUID(), error });
    expect(await send()).toBeGreaterThan(290_000);
    expect(sent).toEqual([]);
  });

  test('is not repeated when the tool itself is out of order', async () => {
    await agree({ photo: photo('known') });
    answers[START] = cannot('engine_maintenance', 0);
    expect(await send()).toBeNull();
    const { message } = ERRORS.engine_maintenance;
    expect(await queued()).toMatchObject({ failure: { message, code: 'engine_maintenance' }, start: null });
  });
});

test('what the page has taken note of is forgotten, but not what has come in its place', async () => {
  await queueFile(userId, 'photosession', FILE);
  const { id } = (await queued()) ?? { id: '' };
  await queueFile(userId, 'photosession', new File(['newer'], 'newer.jpg'));
  await forgetQueuedUpload(userId, 'photosession', id);
  expect((await queued())?.file?.name).toBe('newer.jpg');
  await forgetQueuedUpload(userId, 'photosession', (await queued())?.id ?? '');
  expect(await queued()).toBeNull();
});

test('a photo given up takes its consent along', async () => {
  await queueAndAgree();
  await giveUpQueuedUpload(userId, 'photosession');
  await send();
  expect(sent).toEqual([]);
});

test('tabs hear of what is new, and sending is not a reason to send', async () => {
  const received: boolean[] = [];
  const stop = subscribeUploads((isNew) => received.push(isNew));
  answers[START] = () => Response.json({}, { status: 503 });
  await queueFile(userId, 'photosession', FILE);
  await until(() => expect(received).toContain(true));
  await agree({ queuedId: (await queued())?.id ?? '' });
  await until(() => expect(received.filter(Boolean)).toHaveLength(2));
  await send();
  await until(() => expect(received.at(-1)).toBe(false));
  stop();
  expect(received.filter(Boolean)).toHaveLength(2);
});

function send(): Promise<number | null> {
  return sendQueuedUploads(userId);
}

function sendPatiently(): Promise<number | null> {
  return sendQueuedUploads(userId, { isPatient: true });
}

function queued() {
  return readQueuedUpload(userId, 'photosession');
}

async function readQueuedWait() {
  const upload = await queued();
  return upload && readWait(upload);
}

/** The server says why it cannot serve, and after how many seconds it wants the next try. */
function cannot(code: ErrorCode, retryAfter: number) {
  const { status, message } = ERRORS[code];
  return () => Response.json({ message, code, retryAfter }, { status });
}

async function queueAndAgree(): Promise<void> {
  await queueFile(userId, 'photosession', FILE);
  await agree({ queuedId: (await queued())?.id ?? '' });
}

function agree(shown: Parameters<typeof queueStart>[2]): Promise<void> {
  const start: ConsentedStart = { slot: 'photosession', price: 2, agreedAt: Date.now() };
  return queueStart(userId, start, shown);
}

function pathsSent(): unknown[] {
  return sent.map(({ path }) => path);
}

function keysOf(path: string): unknown[] {
  return sent.flatMap((request) => (request.path === path ? [request.key] : []));
}

/** Holds the next request to this path until the test gives the answer. */
function holdAnswer(path: string): { isAsked: Promise<void>; answer: (response: Response) => void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  answers[path] = () => {
    asked.resolve();
    return held.promise;
  };
  return { isAsked: asked.promise, answer: held.resolve };
}

function photo(id: string): UploadedPhoto {
  const facts = {
    name: `${id}.jpg`,
    width: 600,
    height: 800,
    size: 1000,
    type: 'image/jpeg',
    product: null,
    guessedArticle: null,
  };
  return { id, ...facts, previewUrl: `/media/photos/${id}/preview`, thumbnailUrl: `/media/photos/${id}/thumbnail` };
}
