import * as z from 'zod/mini';
import { readStored, readStoredPart, updateStored } from '#pwa/device/storage.ts';
import { listenToTabs, tellTabs } from '#pwa/device/tab-channel.ts';
import { BATCH_UPLOADS_SYNC_TAG } from '#pwa/device/worker-messages.ts';
import { batchSet, ROW_REFUSALS, type RowRefusal } from '#shared/contract/batches.ts';
import { ROW_NAME_MAX_LENGTH } from '#shared/rules/batches.ts';
import { askForSync } from './ask-for-sync.ts';
import { putInFolder } from './photo-folder.ts';

/*
 * Files of batches that wait on this device. The list is one stored value of the account, and the bytes of each file are
 * a part of it. A file leaves the list when the server has it, has refused it, or no longer wants it.
 */

const NAME = 'batchUploads';
const CHANNEL = 'podium.batchUploads';
/** Held by a tab as long as it lives, once it has added files. */
const TAB_LOCK = 'podium.batchFiles.';

const batchUpload = z.object({
  /** Made on this device before the server knows the row. */
  rowId: z.uuid(),
  batchId: z.string(),
  name: z.string(),
  /** Of the folder that the file comes from. Null when nobody knows it. */
  folder: z.nullable(z.string()),
  type: z.string(),
  /** Of the file as it was chosen, in bytes. */
  size: z.int(),
  article: z.nullable(z.string()),
  note: z.nullable(z.string()),
  set: z.nullable(batchSet),
  /** Why the file cannot be sent. Null when it can, as far as is known. */
  refusal: z.nullable(z.enum(ROW_REFUSALS)),
  /** Whether the server has its row. */
  isRowAdded: z.boolean(),
  /** SHA-256 of what is sent. Null until that is known. */
  sha256: z.nullable(z.string()),
  /** Whether its bytes are on the device. Otherwise only its tab has the file. */
  isStored: z.boolean(),
  /** The tab that the file was added in. */
  tab: z.string(),
});
export type BatchUpload = z.infer<typeof batchUpload>;

const uploadPause = z.object({
  message: z.string(),
  code: z.nullable(z.string()),
  /** When the device tries again by itself. Null when the person has to do something. */
  until: z.nullable(z.number()),
  /** How many tries in a row did not succeed. */
  tries: z.int(),
});
/** Why nothing is sent now although the server can be reached. */
export type UploadPause = z.infer<typeof uploadPause>;

const batchUploads = z.object({
  /** An upload that cannot be read is left out alone. */
  files: z.pipe(
    z.array(z.unknown()),
    z.transform((uploads) => uploads.flatMap((upload) => batchUpload.safeParse(upload).data ?? [])),
  ),
  pause: z.nullable(uploadPause),
});
export type BatchUploads = z.infer<typeof batchUploads>;

const NOTHING: BatchUploads = { files: [], pause: null };

/**
 * What other tabs and the worker hear. `queued`: there is something new to send. `changed`: any other change of the
 * list. `progress`: how much of a file is sent. `answered`: the server has told something new of a batch. `refused`: the
 * server takes no rows for these files, which have left the list.
 */
const uploadNews = z.union([
  z.object({ type: z.enum(['queued', 'changed']) }),
  z.object({ type: z.literal('progress'), rowId: z.string(), share: z.number() }),
  z.object({ type: z.literal('answered'), batchId: z.string() }),
  z.object({ type: z.literal('refused'), names: z.array(z.string()), message: z.string() }),
]);
export type UploadNews = z.infer<typeof uploadNews>;

/** Files that have no room on the device, by row. */
const filesInMemory = new Map<string, File>();

const TAB = String(Math.random());
let isTabHeld = false;

/** The name of this tab in the list. From now on others see whether the tab still lives. */
export function nameTab(): string {
  if (!isTabHeld) {
    isTabHeld = true;
    void navigator.locks.request(TAB_LOCK + TAB, () => new Promise(() => undefined));
  }
  return TAB;
}

/** As much of the name of a file or folder as the server takes, written as the server keeps it. */
export function cutName(name: string): string {
  return name.normalize('NFC').trim().slice(0, ROW_NAME_MAX_LENGTH);
}

export async function readBatchUploads(userId: number): Promise<BatchUploads> {
  return (await readStored(userId, NAME, batchUploads)) ?? NOTHING;
}

/** Adds files to the end of the list. A pause ends: the person is here. */
export async function enqueueBatchFiles(userId: number, files: readonly BatchUpload[]): Promise<void> {
  await change(userId, (now) => ({ files: [...now.files, ...files], pause: null }));
  tell({ type: 'changed' });
}

/**
 * Keeps what is sent for a row, and its hash. Without room on the device the file stays with this tab. Nothing happens
 * when the row is gone from the list. Returns whether the device has the file now.
 */
export async function keepBatchFile(userId: number, rowId: string, file: File, sha256: string): Promise<boolean> {
  const { type } = file;
  const name = cutName(file.name);
  // Plain bytes, because iOS loses its database connection over Blobs from the camera.
  const bytes = await file.arrayBuffer();
  const isOfRow = (upload: BatchUpload) => upload.rowId === rowId;
  const keep = async (isStored: boolean) => {
    const list = await updateStored(userId, NAME, batchUploads, (now, parts) => {
      if (!now?.files.some(isOfRow)) return now;
      if (isStored) parts.put(rowId, bytes);
      const files = now.files.map((upload) => (isOfRow(upload) ? { ...upload, name, type, sha256, isStored } : upload));
      return { ...now, files };
    });
    return list?.files.find(isOfRow)?.isStored ?? false;
  };
  const isKept = await keep(true).catch(() => {
    filesInMemory.set(rowId, file);
    return keep(false);
  });
  await askToSend();
  return isKept;
}

/** Records that the file of a row cannot be sent. The sender tells the server. */
export async function refuseBatchFile(userId: number, rowId: string, refusal: RowRefusal): Promise<void> {
  await change(userId, (now) => ({
    ...now,
    files: now.files.map((upload) => (upload.rowId === rowId ? { ...upload, refusal } : upload)),
  }));
  await askToSend();
}

/** The file of a row; null when this tab cannot read it. */
export async function readBatchFile(userId: number, upload: BatchUpload): Promise<File | null> {
  const { rowId, name, type, folder } = upload;
  const inMemory = filesInMemory.get(rowId);
  if (inMemory) return inMemory;
  const bytes = await readStoredPart(userId, NAME, rowId);
  return bytes instanceof ArrayBuffer ? putInFolder(new File([bytes], name, { type }), folder) : null;
}

/** Whether this tab has the file of a row at hand, or finds it on the device. */
export function isAtHand({ rowId, isStored }: BatchUpload): boolean {
  return isStored || filesInMemory.has(rowId);
}

/** Takes files off the list: they are sent, refused, or not wanted any more. What is being sent is aborted. */
export async function removeBatchUploads(userId: number, rowIds: readonly string[]): Promise<void> {
  if (rowIds.length === 0) return;
  const gone = new Set(rowIds);
  await change(userId, (now) => ({ ...now, files: now.files.filter(({ rowId }) => !gone.has(rowId)) }));
  for (const rowId of rowIds) filesInMemory.delete(rowId);
  tell({ type: 'changed' });
}

/** Records that the server has these rows. */
export async function noteRowsAdded(userId: number, rowIds: readonly string[]): Promise<void> {
  const added = new Set(rowIds);
  await change(userId, (now) => ({
    ...now,
    files: now.files.map((upload) => (added.has(upload.rowId) ? { ...upload, isRowAdded: true } : upload)),
  }));
  tell({ type: 'changed' });
}

export async function pauseBatchUploads(userId: number, pause: UploadPause | null): Promise<void> {
  const { pause: before } = await readBatchUploads(userId);
  if (before === null && pause === null) return;
  await change(userId, (now) => ({ ...now, pause }));
  tell({ type: 'changed' });
}

/** Sends again at once, because the person has asked for it. */
export async function resumeBatchUploads(userId: number): Promise<void> {
  await pauseBatchUploads(userId, null);
  await askToSend();
}

/** Removes files that were not read before their tab was closed: nobody has them any more. */
export async function dropLostFiles(userId: number): Promise<void> {
  const { files } = await readBatchUploads(userId);
  const waiting = files.filter(({ isStored, refusal }) => !isStored && refusal === null);
  if (waiting.length === 0) return;
  const { held = [] } = await navigator.locks.query();
  const alive = new Set(held.map(({ name }) => name));
  const lost = waiting.filter(({ tab }) => !alive.has(TAB_LOCK + tab));
  await removeBatchUploads(
    userId,
    lost.map(({ rowId }) => rowId),
  );
}

/** Calls the listener with what this tab, others and the worker tell. Returns the function that unsubscribes. */
export function subscribeBatchUploads(listener: (news: UploadNews) => void): () => void {
  return listenToTabs(CHANNEL, (message) => {
    const news = uploadNews.safeParse(message);
    if (news.success) listener(news.data);
  });
}

export function tell(news: UploadNews): void {
  tellTabs(CHANNEL, news);
}

/** Asks tabs and, by background sync, the worker to send. */
async function askToSend(): Promise<void> {
  tell({ type: 'queued' });
  await askForSync(BATCH_UPLOADS_SYNC_TAG);
}

/** Files that leave the list leave the device. */
async function change(userId: number, to: (now: BatchUploads) => BatchUploads): Promise<void> {
  await updateStored(userId, NAME, batchUploads, (stored, parts) => {
    const now = stored ?? NOTHING;
    const next = to(now);
    const kept = new Set(next.files.map(({ rowId }) => rowId));
    for (const { rowId } of now.files) if (!kept.has(rowId)) parts.remove(rowId);
    return next.files.length === 0 ? null : next;
  });
}
