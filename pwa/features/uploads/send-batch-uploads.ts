import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { addRows, type RowRefusal, settleRow } from '#shared/contract/batches.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { findKnownPhotos } from '#shared/contract/photos.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS } from '#shared/contract/uploads.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { ROWS_ADDED_MAX } from '#shared/rules/batches.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import {
  type BatchUpload,
  dropLostFiles,
  isAtHand,
  noteRowsAdded,
  pauseBatchUploads,
  readBatchFile,
  readBatchUploads,
  removeBatchUploads,
  subscribeBatchUploads,
  tell,
} from './batch-uploads.ts';

// Workbox's queue of requests would replay them one by one, from the worker alone, and stop at the first that fails. Here a
// row is added before its file, three files are on their way at once, a refused one does not hold up the others, and the
// page that is open sends and shows how far it is.

/** Tabs and the worker send under this lock, so that one of them sends at a time. */
const SEND_LOCK = 'podium.batchUploads';
const ROWS_LOCK = 'podium.batchRows';
const AT_ONCE = 3;
/** The server takes no more in one call. */
const HASHES_MAX = 200;
const PAUSES = { firstMs: 5000, longestMs: 60_000 };
/** The person may delete photos meanwhile, and on another device, too. */
const ROOM_PAUSE_MS = 5 * 60_000;
/** Longer waits that a server asks for are cut to this. */
const LONGEST_ASKED_PAUSE_MS = 60 * 60_000;
const PROGRESS_PAUSE_MS = 200;
const CALL_TIMEOUT_MS = 60_000;
const NOT_TAKEN = 'Сервер не принял файлы';
const ROW_INVALID = 'Сервер не принял имя, папку или настройки этой строки';

/** Sends one file. Throws ApiError, or the reason of the signal. */
export type SendFile = (
  upload: BatchUpload,
  file: File,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<unknown>;

/**
 * Adds the rows that the server does not have yet, with every file that is on the list. Tabs do it one after another, so
 * that each row is sent once. Files of rows that the server does not want leave the list. Throws ApiError when it takes
 * nothing now.
 */
export async function addQueuedRows(userId: number): Promise<void> {
  await navigator.locks.request(ROWS_LOCK, async () => {
    const { files } = await readBatchUploads(userId);
    const added = files.filter(({ isRowAdded }) => !isRowAdded);
    for (const batchId of new Set(added.map((upload) => upload.batchId))) {
      const own = added.filter((upload) => upload.batchId === batchId);
      try {
        for (let start = 0; start < own.length; start += ROWS_ADDED_MAX) {
          await addRowsOf(userId, batchId, own.slice(start, start + ROWS_ADDED_MAX));
        }
      } catch (error) {
        if (!(error instanceof ApiError) || !includes(BATCH_CLOSED, error.code)) throw error;
        const { files: left } = await readBatchUploads(userId);
        const unwanted = left.filter((upload) => upload.batchId === batchId && !upload.isRowAdded);
        await dropRefused(userId, unwanted, describeError(error, NOT_TAKEN));
      }
    }
  });
}

/** The batch is gone, or takes no more rows: nobody would ever want files for it. */
const BATCH_CLOSED = ['batch_not_found', 'batch_forbidden', 'batch_full'] as const satisfies ErrorCode[];

/** Adds rows to one batch, and as many of them as it takes. Throws ApiError. */
async function addRowsOf(userId: number, batchId: string, uploads: BatchUpload[]): Promise<void> {
  const rows = uploads.map(({ rowId, name, size, folder, article, note, set, refusal }) => ({
    id: rowId,
    name,
    // What is too large is made smaller first.
    ...(size > PHOTO_MAX_BYTES ? {} : { size }),
    ...(refusal === null ? {} : { refusal }),
    ...(folder === null ? {} : { folder }),
    ...(set === null ? {} : { set }),
    article,
    note,
  }));
  const ids = uploads.map(({ rowId }) => rowId);
  try {
    const answer = await callApi(addRows, { params: { id: batchId }, body: { rows } }, within(CALL_TIMEOUT_MS));
    const waiting = new Set(answer.rows.filter(({ state }) => state === 'uploading').map(({ id }) => id));
    await noteRowsAdded(
      userId,
      ids.filter((id) => waiting.has(id)),
    );
    await removeBatchUploads(
      userId,
      ids.filter((id) => !waiting.has(id)),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || !includes(['invalid_request', 'batch_full'], error.code)) throw error;
    if (uploads.length > 1) {
      // Halves find the row that is refused, and those that have room, with the fewest calls.
      const middle = Math.ceil(uploads.length / 2);
      await addRowsOf(userId, batchId, uploads.slice(0, middle));
      await addRowsOf(userId, batchId, uploads.slice(middle));
    } else if (error.code === 'batch_full') {
      throw error;
    } else {
      await dropRefused(userId, uploads, ROW_INVALID);
    }
  } finally {
    tell({ type: 'answered', batchId });
  }
}

/** Takes files off the list whose rows the server refuses, and tells the pages. */
async function dropRefused(userId: number, uploads: readonly BatchUpload[], message: string): Promise<void> {
  const ids = uploads.map(({ rowId }) => rowId);
  await removeBatchUploads(userId, ids);
  tell({ type: 'refused', names: uploads.map(({ name }) => name), message });
}

/** The call that waits for its turn. One for each tab is enough. */
let waiting: { userId: number; outcome: Promise<number | null> } | null = null;

/**
 * Sends the files of batches that wait, three at a time, after what another tab sends. Returns the milliseconds until it
 * should be called again, or null when nothing waits, or only for the person.
 */
export function sendBatchUploads(userId: number, sendFile: SendFile): Promise<number | null> {
  if (waiting?.userId !== userId) waiting = { userId, outcome: waitAndSend(userId, sendFile) };
  return waiting.outcome;
}

async function waitAndSend(userId: number, sendFile: SendFile): Promise<number | null> {
  // The lock may be free at once, before the caller has noted that it waits.
  await Promise.resolve();
  return navigator.locks.request(SEND_LOCK, () => {
    waiting = null;
    return send(userId, sendFile);
  });
}

async function send(userId: number, sendFile: SendFile): Promise<number | null> {
  await dropLostFiles(userId);
  const { files, pause } = await readBatchUploads(userId);
  if (files.length === 0) return null;
  if (pause && (pause.until === null || pause.until > Date.now())) {
    return pause.until === null ? null : pause.until - Date.now();
  }
  const brake = createBrake(userId, pause?.tries ?? 0);
  const picker = createPicker(userId, brake);
  try {
    await brake.guard(() => addQueuedRows(userId));
    const work = async () => {
      for (let next = await picker.takeNext(); next; next = await picker.takeNext()) {
        await sendOne(userId, next, { sendFile, picker, brake }).finally(next.release);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return brake.pauseMs();
  } finally {
    picker.close();
  }
}

/** Stops a run of the sender when the server cannot be reached or takes nothing now. */
interface Brake {
  isPulled: () => boolean;
  pull: (error: unknown) => Promise<void>;
  /** Makes a call, and stops the run when it fails. */
  guard: (call: () => Promise<void>) => Promise<void>;
  /** The server has taken something. */
  release: () => Promise<void>;
  /** Milliseconds until the next run. Null when it ended without a reason to wait, or waits for the person. */
  pauseMs: () => number | null;
}

function createBrake(userId: number, triesBefore: number): Brake {
  let tries = triesBefore;
  let stopped: { ms: number | null } | null = null;
  const pull = async (error: unknown) => {
    // The first reason counts: the calls beside fail for the same one.
    if (stopped) return;
    const reason = error instanceof ApiError ? error : new ApiError(0, String(error));
    const ms = pauseAfter(reason, tries);
    stopped = { ms };
    // The page shows these two by itself.
    if (reason.status === 0 || reason.status === 401) return;
    const until = ms === null ? null : Date.now() + ms;
    const message = describeError(reason, NOT_TAKEN);
    await pauseBatchUploads(userId, { message, code: reason.code, until, tries: tries + 1 });
  };
  return {
    isPulled: () => stopped !== null,
    pull,
    guard: (call) => call().catch(pull),
    async release() {
      if (tries === 0) return;
      tries = 0;
      await pauseBatchUploads(userId, null);
    },
    pauseMs: () => stopped?.ms ?? null,
  };
}

/** Milliseconds until the next try. Null when the person has to do something first. */
function pauseAfter({ status, code, details: { retryAfter } }: ApiError, tries: number): number | null {
  if (status === 401 || isConsentRefusal(code) || code === 'deletion_asked') return null;
  const asked = typeof retryAfter === 'number' ? Math.min(retryAfter * 1000, LONGEST_ASKED_PAUSE_MS) : 0;
  return Math.max(includes(PHOTO_ROOM_ERRORS, code) ? ROOM_PAUSE_MS : backOffMs(tries, PAUSES), asked);
}

/** A file that is being sent. */
interface Taken {
  upload: BatchUpload;
  /** Aborted when the file is not wanted any more. */
  signal: AbortSignal;
  /** Lets others take files with the same bytes. */
  release: () => void;
}

interface Picker {
  /** The next file that nobody sends yet. The same bytes are never sent twice at the same time. */
  takeNext: () => Promise<Taken | null>;
  /** SHA-256 of what the account has. */
  known: Set<string>;
  close: () => void;
}

function createPicker(userId: number, brake: Brake): Picker {
  /** What is sent now, by row. */
  const underway = new Map<string, { sha256: string | null; abort: AbortController }>();
  const asked = new Set<string>();
  const known = new Set<string>();
  let asking: Promise<void> | null = null;

  const abortUnwanted = async () => {
    const { files } = await readBatchUploads(userId);
    const wanted = new Set(files.map(({ rowId }) => rowId));
    for (const [rowId, { abort }] of underway) if (!wanted.has(rowId)) abort.abort();
  };
  const close = subscribeBatchUploads(({ type }) => {
    if (type === 'changed') void abortUnwanted();
  });

  async function takeNext(): Promise<Taken | null> {
    if (brake.isPulled()) return null;
    const { files } = await readBatchUploads(userId);
    const sending = new Set([...underway.values()].map(({ sha256 }) => sha256));
    const free = files.flatMap((upload): { upload: BatchUpload; sha256: string | null }[] => {
      const { rowId, sha256, isRowAdded, refusal } = upload;
      if (!isRowAdded || underway.has(rowId)) return [];
      if (refusal !== null) return [{ upload, sha256: null }];
      return sha256 !== null && isAtHand(upload) && !sending.has(sha256) ? [{ upload, sha256 }] : [];
    });
    const [next] = free;
    if (!next) return null;
    const { upload, sha256 } = next;
    if (sha256 !== null && !asked.has(sha256)) {
      const hashes = free.flatMap((one) => one.sha256 ?? []).filter((hash) => !asked.has(hash));
      asking ??= askKnown(hashes).finally(() => {
        asking = null;
      });
      await asking;
      return takeNext();
    }
    const abort = new AbortController();
    underway.set(upload.rowId, { sha256, abort });
    return { upload, signal: abort.signal, release: () => void underway.delete(upload.rowId) };
  }

  const askKnown = (hashes: readonly string[]) =>
    brake.guard(async () => {
      const body = { hashes: [...new Set(hashes)].slice(0, HASHES_MAX) };
      const answer = await callApi(findKnownPhotos, { body }, within(CALL_TIMEOUT_MS));
      for (const { sha256 } of answer.known) known.add(sha256);
      for (const hash of body.hashes) asked.add(hash);
    });

  return { takeNext, known, close };
}

async function sendOne(
  userId: number,
  { upload, signal }: Taken,
  { sendFile, picker: { known }, brake }: { sendFile: SendFile; picker: Picker; brake: Brake },
): Promise<void> {
  const { rowId, batchId, sha256, refusal } = upload;
  try {
    if (refusal !== null) return await refuseUpload(userId, upload, refusal);
    const isThere = sha256 !== null && known.has(sha256) && (await settleKnown(upload, sha256));
    // A file that is gone from the device is nobody's to send.
    const file = isThere ? null : await readBatchFile(userId, upload);
    if (file) await sendFile(upload, file, { signal, onProgress: reportProgress(rowId) });
    if (file && sha256) known.add(sha256);
    await removeBatchUploads(userId, [rowId]);
    await brake.release();
  } catch (error) {
    if (signal.aborted) return;
    const code = error instanceof ApiError ? error.code : null;
    if (includes(['batch_not_found', 'batch_forbidden', 'batch_row_not_found'], code)) {
      await removeBatchUploads(userId, [rowId]);
    } else if (includes(PHOTO_ERRORS, code)) {
      const seen = code === 'photo_too_large' ? code : 'photo_unreadable';
      await brake.guard(() => refuseUpload(userId, upload, seen));
    } else {
      await brake.pull(error);
    }
  } finally {
    tell({ type: 'answered', batchId });
  }
}

/** Refuses a row whose file cannot be sent. Throws ApiError. */
async function refuseUpload(userId: number, { batchId, rowId }: BatchUpload, refusal: RowRefusal): Promise<void> {
  const params = { id: batchId, row: rowId };
  await callApi(settleRow, { params, body: { refusal } }, within(CALL_TIMEOUT_MS));
  await removeBatchUploads(userId, [rowId]);
}

/** Tells the server that the account has these bytes already. Returns whether that is still so. */
async function settleKnown({ batchId, rowId }: BatchUpload, sha256: string): Promise<boolean> {
  try {
    const params = { id: batchId, row: rowId };
    await callApi(settleRow, { params, body: { sha256 } }, within(CALL_TIMEOUT_MS));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'photo_not_found') return false;
    throw error;
  }
}

/** Tells the pages, not more often than they can show it. */
function reportProgress(rowId: string): (share: number) => void {
  let toldAt = 0;
  return (share) => {
    const now = Date.now();
    if (share < 1 && now - toldAt < PROGRESS_PAUSE_MS) return;
    toldAt = now;
    tell({ type: 'progress', rowId, share });
  };
}

function within(ms: number): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(ms) };
}

function includes(codes: readonly ErrorCode[], code: ErrorCode | null): boolean {
  return code !== null && codes.includes(code);
}
