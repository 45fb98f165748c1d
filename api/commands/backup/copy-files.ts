import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ObjectNotFoundError,
  type ObjectStorage,
  StorageUnavailableError,
} from '#api/adapters/storage/object-storage.ts';
import type { Report } from '#api/commands/operator-context.ts';
import { retry } from '#api/platform/retry.ts';
import {
  createDigester,
  createNewFile,
  type ListedFile,
  listedFile,
  type Manifest,
  openChecked,
  placesIn,
  readLines,
  splitLines,
  writeLines,
} from './backup-folder.ts';

/** Storage elsewhere answers each call after some milliseconds. */
const FILES_AT_ONCE = 8;
const REPORTED_EVERY = 1000;
/** A file is tried again after one, five and twenty seconds. A storage that is gone for longer ends the command. */
const RETRIES = { tries: 4, firstMs: 1_000, factor: 5, longestMs: 20_000 };
/** Every file is stored with the ending of its type. */
const CONTENT_TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
};

/** Copies the files with these keys, one a line of `keyList`, and lists them. A missing file is only listed. */
export async function saveFiles(
  storage: ObjectStorage,
  folder: string,
  keyList: string,
  report: Report,
): Promise<Manifest['files']> {
  const counts = { stored: 0, missing: 0 };
  async function* copyAll() {
    const keys = splitLines(createReadStream(keyList, 'utf8'));
    const files: AsyncIterable<ListedFile> = Readable.from(keys).map((key) => saveFile(storage, folder, key), {
      concurrency: FILES_AT_ONCE,
    });
    for await (const saved of files) {
      counts[saved.sha256 === undefined ? 'missing' : 'stored']++;
      if (counts.stored % REPORTED_EVERY === 0 && counts.stored > 0) report(`${counts.stored} files`);
      yield JSON.stringify(saved);
    }
  }
  return { ...(await writeLines(placesIn(folder).fileList, copyAll())), ...counts };
}

async function saveFile(storage: ObjectStorage, folder: string, key: string): Promise<ListedFile> {
  const file = placesIn(folder).file(key);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    return await retryUnavailable(async () => {
      // What an attempt before has left.
      await rm(file, { force: true });
      const digester = createDigester();
      await pipeline(await storage.open(key), digester.stream, createNewFile(file));
      return { key, ...digester.read() };
    });
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return { key };
    throw error;
  }
}

/** One broken connection among many thousands of files must not end the command. */
function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const isWorthRetrying = (error: unknown) => error instanceof StorageUnavailableError;
  return retry(work, { ...RETRIES, isWorthRetrying });
}

/**
 * Stores all files of the backup and returns how many. A file that is there already is replaced, so an interrupted
 * restore can be repeated. A damaged file is never stored.
 */
export async function restoreFiles(
  storage: ObjectStorage,
  folder: string,
  { files }: Manifest,
  report: Report,
): Promise<number> {
  let stored = 0;
  const restore = async (line: string) => {
    const { key, bytes, sha256 } = listedFile.parse(JSON.parse(line));
    if (bytes === undefined || sha256 === undefined) return;
    await retryUnavailable(() => {
      const open = () => openChecked(placesIn(folder).file(key), { bytes, sha256 });
      return storage.put(key, { open, bytes }, CONTENT_TYPES[path.extname(key)] ?? 'application/octet-stream');
    });
    stored++;
    if (stored % REPORTED_EVERY === 0) report(`${stored} of ${files.stored} files`);
  };
  const lines = Readable.from(readLines(placesIn(folder).fileList, files));
  await lines.forEach(restore, { concurrency: FILES_AT_ONCE });
  return stored;
}
