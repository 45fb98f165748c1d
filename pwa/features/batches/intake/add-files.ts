import { ApiError } from '#pwa/client/api-error.ts';
import { findFileFaultCode } from '#pwa/features/photos/photo-checks.ts';
import { shrinkPhoto } from '#pwa/features/photos/shrink-photo.ts';
import {
  type BatchUpload,
  cutName,
  enqueueBatchFiles,
  keepBatchFile,
  nameTab,
  readBatchUploads,
  refuseBatchFile,
} from '#pwa/features/uploads/batch-uploads.ts';
import { addQueuedRows } from '#pwa/features/uploads/send-batch-uploads.ts';
import type { BatchRow, BatchSet, RowRefusal } from '#shared/contract/batches.ts';
import { isWaste } from './waste-files.ts';

/** A file that becomes a row, or a line of a table without one. */
export interface IntakeFile {
  name: string;
  /** Null when nobody knows it. */
  folder: string | null;
  /** In bytes. */
  size: number;
  /** The file, which may have to be unpacked first. Null when there is none. */
  read: (() => Promise<File>) | null;
  /** The file as it was chosen. None for what was in an archive, or in no file. */
  chosen?: File;
  article?: string | null;
  note?: string | null;
  set?: BatchSet | null;
  refusal?: RowRefusal | null;
  /** What it means when the file cannot be read. */
  unreadable?: RowRefusal;
}

export function intakeOf(file: File, folder: string | null): IntakeFile {
  return { name: file.name, folder, size: file.size, read: () => Promise.resolve(file), chosen: file };
}

/**
 * Makes a row of each file at once, and then puts the files on the list of what is sent. `missing`: rows of the batch whose
 * files are on no device any more; the same file goes to its row. Resolves, when all files are read, with those that are
 * kept on the device until they are sent. Throws ApiError when the server takes nothing now, and what a device throws
 * that keeps nothing.
 */
export async function addIntakeFiles(
  userId: number,
  batchId: string,
  files: readonly IntakeFile[],
  missing: readonly BatchRow[],
): Promise<IntakeFile[]> {
  const wanted = files.filter(({ name }) => !isWaste(name));
  const free = [...missing];
  const readers = new Map<string, IntakeFile>();
  const uploads = wanted.map((file): BatchUpload => {
    const row = findRow(free, file);
    if (row) free.splice(free.indexOf(row), 1);
    const rowId = row?.id ?? crypto.randomUUID();
    readers.set(rowId, file);
    return describeUpload(batchId, rowId, file, row !== undefined);
  });
  if (uploads.length === 0) return [];
  await enqueueBatchFiles(userId, uploads);
  try {
    await addQueuedRows(userId);
  } catch (error) {
    // Without a connection the rows are added later, with their files.
    if (!(error instanceof ApiError && (error.status === 0 || error.status >= 429))) throw error;
  }
  const kept: IntakeFile[] = [];
  for (const { rowId } of uploads) {
    const file = readers.get(rowId);
    if (file?.read && (await isWanted(userId, rowId)) && (await prepare(userId, rowId, file))) kept.push(file);
  }
  return kept;
}

/** The row that misses this file. A folder tells files of one name apart, if both sides know it. */
function findRow(rows: readonly BatchRow[], file: IntakeFile): BatchRow | undefined {
  const folder = file.folder && cutName(file.folder);
  const same = rows.filter(({ name, size }) => name === cutName(file.name) && (size === null || size === file.size));
  return same.find((row) => row.folder === folder) ?? same.find((row) => row.folder === null || folder === null);
}

function describeUpload(batchId: string, rowId: string, file: IntakeFile, isRowAdded: boolean): BatchUpload {
  const { name, folder, size, article = null, note = null, set = null, refusal = null } = file;
  return {
    rowId,
    batchId,
    name: cutName(name),
    folder: folder && cutName(folder),
    type: '',
    size,
    article,
    note,
    set,
    refusal,
    isRowAdded,
    sha256: null,
    isStored: false,
    tab: nameTab(),
  };
}

async function isWanted(userId: number, rowId: string): Promise<boolean> {
  const { files } = await readBatchUploads(userId);
  return files.some((upload) => upload.rowId === rowId && upload.refusal === null);
}

/**
 * Checks a file, makes it smaller if it has to be, and keeps it with its hash until it is sent. Returns whether the device
 * has it now.
 */
async function prepare(userId: number, rowId: string, { read, unreadable }: IntakeFile): Promise<boolean> {
  const judged = await judge(read).catch((error: unknown) => {
    console.warn('a file cannot be read:', error);
    return unreadable ?? 'photo_unreadable';
  });
  if (typeof judged !== 'string') return keepBatchFile(userId, rowId, judged.file, judged.sha256);
  await refuseBatchFile(userId, rowId, judged);
  return false;
}

async function judge(read: IntakeFile['read']): Promise<{ file: File; sha256: string } | RowRefusal> {
  const original = await read?.();
  if (!original) return 'photo_unreadable';
  const fault = await findFileFaultCode(original);
  if (fault !== null && fault !== 'photo_too_large') return fault;
  const file = fault === null ? original : await shrinkPhoto(original);
  return file ? { file, sha256: await hashFile(file) } : 'photo_too_large';
}

/** SHA-256 in hexadecimal, as the server writes it. The browser works it out beside the page. */
async function hashFile(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
