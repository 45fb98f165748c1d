import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { purgeStored, readStored, writeStored } from '#pwa/device/storage.ts';
import {
  type BatchUpload,
  enqueueBatchFiles,
  keepBatchFile,
  nameTab,
  readBatchUploads,
  refuseBatchFile,
  removeBatchUploads,
  resumeBatchUploads,
  subscribeBatchUploads,
  tell,
  type UploadNews,
} from '#pwa/features/uploads/batch-uploads.ts';
import { sendBatchFile } from '#pwa/features/uploads/send-batch-file.ts';
import { sendBatchUploads } from '#pwa/features/uploads/send-batch-uploads.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { PHOTO, sampleBatch, sampleRow } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { until } from '#tests/support/until.ts';

const BATCH = 'b1';

/** The device's owner, another one in each test, so that no test finds what the previous one left. */
let userId = 5000;
let rows: Map<string, string>;
let known: Set<string>;
/** What was sent, in order. */
let calls: { path: string; body: unknown }[];
/** Answers in place of the server's own, by the end of the path. */
let instead: Record<string, (body: { rows: BatchUpload[] }, path: string) => Response | Promise<Response> | undefined>;
let atOnce: number;
let mostAtOnce: number;
/** The longest file that the device keeps. */
let maxBytes = Infinity;

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb({ hasRoom })));
beforeEach(() => {
  userId += 1;
  rows = new Map();
  known = new Set();
  calls = [];
  instead = {};
  atOnce = mostAtOnce = 0;
  maxBytes = Infinity;
  vi.stubGlobal('fetch', answer);
});
afterAll(() => vi.unstubAllGlobals());

const hasRoom = (values: unknown[]) =>
  values.every((value) => !(value instanceof ArrayBuffer) || value.byteLength <= maxBytes);

async function answer(path: string, init: RequestInit): Promise<Response> {
  const body = init.body instanceof FormData ? init.body : JSON.parse(String(init.body));
  calls.push({ path, body });
  const end = path.split('/').at(-1) ?? '';
  const own = await instead[end]?.(body, path);
  if (own) return own;
  const rowId = path.split('/').at(-2) ?? '';
  if (end === 'rows') {
    for (const row of body.rows) rows.set(row.id, row.refusal ? 'refused' : 'uploading');
    return Response.json({ batch: sampleBatch([]), rows: body.rows.map(({ id }: { id: string }) => rowOf(id)) });
  }
  if (end === 'known') {
    const found = (body.hashes as string[]).filter((hash) => known.has(hash));
    return Response.json({ known: found.map((sha256) => ({ sha256, photo: PHOTO })) });
  }
  if (end === 'unsent') {
    rows.set(rowId, body.refusal ? 'refused' : 'duplicate');
    return Response.json(rowOf(rowId));
  }
  atOnce += 1;
  mostAtOnce = Math.max(mostAtOnce, atOnce);
  const file = body.get('image') as File;
  await new Promise((resolve) => setTimeout(resolve, 5));
  known.add(hashOf(await file.text()));
  rows.set(rowId, 'ready');
  atOnce -= 1;
  return Response.json(rowOf(rowId));
}

const rowOf = (id: string) => ({ ...sampleRow(0), id, state: rows.get(id) });
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const refusal =
  (code: ErrorCode, more = {}) =>
  () =>
    Response.json({ code, message: ERRORS[code].message, ...more }, { status: ERRORS[code].status });
const countCalls = (end: string) => calls.filter(({ path }) => path.endsWith(end)).length;
const send = () => sendBatchUploads(userId, sendBatchFile);
const list = async () => (await readBatchUploads(userId)).files;

function describeFile(part: Partial<BatchUpload> = {}): BatchUpload {
  const unknown = { folder: null, article: null, note: null, set: null, refusal: null, sha256: null };
  const upload = { rowId: randomUUID(), batchId: BATCH, name: 'a.jpg', type: 'image/jpeg', size: 3, ...unknown };
  return { ...upload, isRowAdded: false, isStored: false, tab: nameTab(), ...part };
}

/** What pages hear of refused files meanwhile. */
async function hearRefused(work: () => Promise<void>): Promise<UploadNews[]> {
  const heard: UploadNews[] = [];
  const stop = subscribeBatchUploads((news) => void heard.push(news));
  await work();
  // News come in their order, so nothing else is on its way once this one is here.
  tell({ type: 'progress', rowId: 'last', share: 1 });
  await until(() => expect(heard).toContainEqual({ type: 'progress', rowId: 'last', share: 1 }));
  stop();
  return heard.filter(({ type }) => type === 'refused');
}

/** Adds files with these contents. */
async function add(...contents: string[]): Promise<BatchUpload[]> {
  const uploads = contents.map(() => describeFile());
  await enqueueBatchFiles(userId, uploads);
  for (const [index, { rowId }] of uploads.entries()) {
    const content = contents[index] ?? '';
    await keepBatchFile(userId, rowId, new File([content], 'a.jpg'), hashOf(content));
  }
  return uploads;
}

describe('files of a batch', () => {
  test('are sent once, three at a time, after their rows, whichever tab sends', async () => {
    await add('1', '2', '3', '4', '5');
    await Promise.all([send(), send()]);
    expect(await list()).toEqual([]);
    expect([countCalls('/rows'), countCalls('/known'), countCalls('/photo')]).toEqual([1, 1, 5]);
    expect(mostAtOnce).toBe(3);
    expect(calls[0]?.path).toBe(`/api/batches/${BATCH}/rows`);
    expect([...(await storedValues.read()).keys()].filter((key) => key.includes(`/${userId}/`))).toEqual([]);
  });

  test('are not sent when the account has their bytes, also of another row of the batch', async () => {
    known.add(hashOf('known'));
    await add('known', 'twice', 'twice');
    await send();
    expect([countCalls('/photo'), countCalls('/unsent')]).toEqual([1, 2]);
    expect([...rows.values()].sort()).toEqual(['duplicate', 'duplicate', 'ready']);
  });

  test('that cannot be used refuse their rows', async () => {
    const refused = describeFile({ refusal: 'csv_file_missing' });
    const [later] = await add('x');
    await enqueueBatchFiles(userId, [refused]);
    await refuseBatchFile(userId, later?.rowId ?? '', 'photo_unreadable');
    await send();
    expect([...rows.values()]).toEqual(['refused', 'refused']);
    expect(countCalls('/photo')).toBe(0);
    expect(await list()).toEqual([]);
  });

  test('stay without a connection, and are sent when it is back', async () => {
    await add('1');
    instead.photo = () => Response.error();
    expect(await send()).toBeGreaterThan(0);
    expect(await readBatchUploads(userId)).toMatchObject({ files: [{ isRowAdded: true }], pause: null });
    instead = {};
    expect(await send()).toBeNull();
    expect([countCalls('/rows'), countCalls('/photo')]).toEqual([1, 2]);
    expect(await list()).toEqual([]);
  });

  test('pause with the reason of the server for as long as it says, and go on at a press', async () => {
    await add('1', '2');
    instead.photo = refusal('too_many_requests', { retryAfter: 40 });
    const pauseMs = await send();
    expect(pauseMs).toBeGreaterThan(35_000);
    const { pause } = await readBatchUploads(userId);
    expect(pause).toMatchObject({ code: 'too_many_requests', message: ERRORS.too_many_requests.message });
    const before = calls.length;
    expect(await send()).toBeGreaterThan(35_000);
    expect(calls.length).toBe(before);
    instead = {};
    await resumeBatchUploads(userId);
    expect(await send()).toBeNull();
    expect(await readBatchUploads(userId)).toEqual({ files: [], pause: null });
  });

  test('wait for the person when a consent is lacking', async () => {
    await add('1');
    instead.photo = refusal('consent_required');
    expect(await send()).toBeNull();
    expect((await readBatchUploads(userId)).pause).toMatchObject({ code: 'consent_required', until: null });
  });

  test('are forgotten with their row or batch', async () => {
    await add('1');
    instead.photo = refusal('batch_row_not_found');
    expect(await send()).toBeNull();
    await add('2');
    instead = { rows: refusal('batch_not_found') };
    await send();
    expect(await list()).toEqual([]);
  });

  test('of rows that the server does not take are told and dropped alone', async () => {
    const [bad] = await add('1', '2', '3', '4', '5');
    const [other] = [describeFile({ batchId: 'b2', refusal: 'photo_unreadable' })];
    await enqueueBatchFiles(userId, [other]);
    instead.rows = ({ rows: sent }) =>
      sent.some((row) => 'id' in row && row.id === bad?.rowId) ? refusal('invalid_request')() : undefined;
    const told = await hearRefused(async () => void (await send()));
    expect(told).toMatchObject([{ names: ['a.jpg'] }]);
    expect([...rows.values()].sort()).toEqual(['ready', 'ready', 'ready', 'ready', 'refused']);
    expect(rows.has(bad?.rowId ?? '')).toBe(false);
    expect(await readBatchUploads(userId)).toEqual({ files: [], pause: null });
  });

  test('go into a batch as long as it takes rows, and the others are told and dropped', async () => {
    await add('1', '2', '3', '4', '5', '6', '7', '8');
    const [other] = [describeFile({ batchId: 'b2', refusal: 'photo_unreadable' })];
    await enqueueBatchFiles(userId, [other]);
    instead.rows = ({ rows: sent }, path) =>
      path.includes(BATCH) && rows.size + sent.length > 3 ? refusal('batch_full')() : undefined;
    const told = await hearRefused(async () => void (await send()));
    expect(told).toEqual([{ type: 'refused', names: Array(5).fill('a.jpg'), message: ERRORS.batch_full.message }]);
    expect([...rows.values()].sort()).toEqual(['ready', 'ready', 'ready', 'refused']);
    expect(await readBatchUploads(userId)).toEqual({ files: [], pause: null });
  });

  test('that an earlier version has stored in another way are dropped alone', async () => {
    const [kept] = await add('1');
    const stored = await readStored(userId, 'batchUploads', { safeParse: (data) => ({ success: true, data }) });
    const { files } = stored as { files: BatchUpload[] };
    const old = { ...describeFile(), refusal: 'of_former_times' };
    await writeStored(userId, 'batchUploads', { files: [old, ...files], pause: null });
    expect((await list()).map(({ rowId }) => rowId)).toEqual([kept?.rowId]);
    await send();
    expect([...rows.values()]).toEqual(['ready']);
  });

  test('are not sent on when their row is removed', async () => {
    const [first] = await add('1');
    let signal: AbortSignal | null = null;
    const sending = sendBatchUploads(userId, (_upload, _file, options) => {
      signal = options.signal;
      return new Promise((_, reject) => {
        options.signal.addEventListener('abort', () => reject(options.signal.reason));
      });
    });
    await until(() => expect(signal).not.toBeNull());
    await removeBatchUploads(userId, [first?.rowId ?? '']);
    expect(await sending).toBeNull();
  });

  test('without room on the device are sent by their tab', async () => {
    const upload = describeFile();
    await enqueueBatchFiles(userId, [upload]);
    maxBytes = 2;
    expect(await keepBatchFile(userId, upload.rowId, new File(['big'], 'a.jpg'), hashOf('big'))).toBe(false);
    expect(await list()).toMatchObject([{ isStored: false, sha256: hashOf('big') }]);
    await send();
    expect([...rows.values()]).toEqual(['ready']);
  });

  test('that a closed tab had not read are dropped', async () => {
    await enqueueBatchFiles(userId, [describeFile({ tab: 'closed' }), describeFile()]);
    await send();
    expect((await list()).map(({ tab }) => tab)).toEqual([nameTab()]);
  });

  test('go with the account at a sign-out', async () => {
    await add('1');
    await purgeStored(userId);
    expect(await list()).toEqual([]);
    await send();
    expect(calls).toEqual([]);
  });
});
