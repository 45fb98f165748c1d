import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { readWait } from '#pwa/features/uploads/queued-upload.ts';
import {
  queueFile,
  queueStart,
  readQueuedUpload,
  retryQueuedUpload,
  sendQueuedUploads,
  withdrawStart,
} from '#pwa/features/uploads/upload-queue.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { PHOTO } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

const UPLOAD = '/api/upload';
const START = '/api/photosession';
const FILE = new File(['new'], 'new.jpg', { type: 'image/jpeg' });

let userId = 3000;
/** The paths of the requests so far. */
let sent: string[];
/** What the server answers, by path. */
let answers: Record<string, () => Response>;

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => {
  userId += 1;
  sent = [];
  answers = {};
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push(path);
    return answers[path]?.() ?? Response.error();
  });
});
afterEach(() => vi.useRealTimers());
afterAll(() => vi.unstubAllGlobals());

const send = () => sendQueuedUploads(userId);
const queued = () => readQueuedUpload(userId, 'photosession');
const agree = () => queueStart(userId, { slot: 'photosession', price: 2, agreedAt: Date.now() }, { photo: PHOTO });
async function readQueuedWait() {
  const upload = await queued();
  return upload && readWait(upload);
}
const cannot = (code: ErrorCode, retryAfter: number) => () => {
  const { status, message } = ERRORS[code];
  return Response.json({ message, code, retryAfter }, { status });
};

test('what the server cannot take now waits as long as the server asks, also with a new connection, and with its words', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  answers[UPLOAD] = cannot('storage_full', 300);
  await queueFile(userId, 'photosession', FILE);
  expect(await send()).toBe(300_000);
  vi.setSystemTime(Date.now() + 299_000);
  expect([await send(), await sendQueuedUploads(userId, { isPatient: true })]).toEqual([1000, 1000]);
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

test('what the server cannot take now is sent at once when the person asks for it', async () => {
  answers[UPLOAD] = cannot('storage_unavailable', 60);
  await queueFile(userId, 'photosession', FILE);
  await send();
  await retryQueuedUpload(userId, 'photosession');
  expect(await readQueuedWait()).toEqual({ isStopped: false, trouble: null, isRepeated: true, awaitsConsent: false });
  answers[UPLOAD] = () => Response.json(PHOTO);
  expect(await send()).toBeNull();
  expect((await queued())?.photo?.id).toBe(PHOTO.id);
});

test('a photo that the page itself could not send waits for the pause that the server named', async () => {
  const message = ERRORS.storage_full.message;
  const error = new ApiError(507, message, { message, code: 'storage_full', retryAfter: 300 });
  await queueFile(userId, 'photosession', FILE, { id: crypto.randomUUID(), error });
  expect(await send()).toBeGreaterThan(290_000);
  expect(sent).toEqual([]);
});

test('a start that the storage cannot serve can be withdrawn for certain, unless an earlier try was not answered', async () => {
  await agree();
  answers[START] = cannot('storage_full', 0);
  await send();
  expect((await readQueuedWait())?.trouble).toBe(ERRORS.storage_full.message);
  expect(await withdrawStart(userId, 'photosession')).toBe('withdrawn');

  await agree();
  answers[START] = () => Response.error();
  await send();
  answers[START] = cannot('storage_full', 0);
  await send();
  expect(await withdrawStart(userId, 'photosession')).toBe('unsure');
});

test('a start is not repeated when the tool itself is out of order', async () => {
  await agree();
  answers[START] = cannot('engine_maintenance', 0);
  expect(await send()).toBeNull();
  const { message } = ERRORS.engine_maintenance;
  expect(await queued()).toMatchObject({ failure: { message, code: 'engine_maintenance' }, start: null });
});
