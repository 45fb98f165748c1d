import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readDiskError } from './disk-failures.ts';
import { expectBytes } from './expect-bytes.ts';
import { findFreeBytes } from './find-free-bytes.ts';
import {
  assertKey,
  type ByteRange,
  type ListedObject,
  ObjectNotFoundError,
  type ObjectStorage,
  type SizedSource,
  StorageUnavailableError,
} from './object-storage.ts';
import { SentFile } from './sent-file.ts';

/**
 * Unfinished files. No key starts with a dot, so nothing in here can be read as an object. Each process
 * makes it once. When it is missing later, the folder is not ours any more, such as the mount point of a disk that is
 * gone.
 */
const PARTS_FOLDER = '.parts';
/** An older part was left by a process that was killed. */
const PART_KEPT_MS = 24 * 60 * 60_000;

/** Stores objects as files below `folder`. A file gets its name only when it is completely on the disk. */
export function createDiskStorage({ folder }: { folder: string }): ObjectStorage {
  const root = path.resolve(folder);
  const { assertThere, withPart } = watchParts(path.join(root, PARTS_FOLDER));

  function locate(key: string): string {
    assertKey(key);
    return path.join(root, key);
  }

  async function openKey(key: string): Promise<FileHandle> {
    const file = locate(key);
    const handle = await onDisk(() => openFile(file));
    if (handle) return handle;
    await assertThere();
    throw new ObjectNotFoundError(key);
  }

  return {
    name: 'disk',

    async put(key, content) {
      const file = locate(key);
      await onDisk(() =>
        withPart(content, async (part) => {
          const firstNewFolder = await mkdir(path.dirname(file), { recursive: true });
          await rename(part, file);
          await syncFolders(path.dirname(file), firstNewFolder);
        }),
      );
    },

    async open(key, range) {
      return createReadStream(key, { fd: await openKey(key), ...range });
    },

    openToSend: async (key, range) => new SentFile(await openKey(key), range),

    async read(key, range) {
      const handle = await openKey(key);
      return onDisk(() => (range ? readPart(handle, range) : handle.readFile()).finally(() => handle.close()));
    },

    findLink: async () => null,

    async findSize(key) {
      const file = locate(key);
      const found = await onDisk(() => stat(file).catch(nullWhenMissing));
      if (!found) await assertThere();
      return found?.isFile() ? found.size : null;
    },

    async remove(key) {
      const file = locate(key);
      await assertThere();
      await onDisk(() => rm(file, { force: true }));
    },

    async *list(prefix) {
      const start = locate(prefix.replace(/\/$/, ''));
      await assertThere();
      try {
        yield* walk(start, prefix);
      } catch (error) {
        throw readDiskError(error);
      }
    },

    check: () => onDisk(() => withPart(Buffer.from('probe'), async () => {})),

    async findFreeBytes() {
      await assertThere();
      return onDisk(() => findFreeBytes(root));
    },
  };
}

/** The folder of unfinished files, and what it says about the storage. */
function watchParts(parts: string) {
  let isMade = false;
  let isSwept = false;

  /** Files of a folder that is gone are not absent: nobody knows. Throws StorageUnavailableError. */
  async function assertThere(): Promise<void> {
    try {
      if (isMade) await stat(parts);
      else await mkdir(parts, { recursive: true });
      isMade = true;
    } catch (error) {
      const meaning = readDiskError(error);
      throw meaning === error ? new StorageUnavailableError(error) : meaning;
    }
  }

  /** Writes a part and passes it to `use`. Removes it afterwards if `use` has not moved it. */
  async function withPart(content: Buffer | SizedSource, use: (part: string) => Promise<void>): Promise<void> {
    await assertThere();
    if (!isSwept) await removeStaleParts(parts);
    isSwept = true;
    const part = path.join(parts, randomUUID());
    try {
      // The file is there before its bytes are asked for: a pipeline may fail before a stream that opens it has done so,
      // and the file would come after it was removed. `flush` writes the bytes to the disk before the file is closed.
      const file = (await open(part, 'wx')).createWriteStream({ flush: true });
      try {
        await (Buffer.isBuffer(content)
          ? pipeline([content], file)
          : pipeline(content.open(), expectBytes(content.bytes), file));
      } finally {
        // Closes it also when the source cannot be opened.
        file.destroy();
      }
      await use(part);
    } finally {
      await rm(part, { force: true });
    }
  }

  return { assertThere, withPart };
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readDiskError(error);
  }
}

async function* walk(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(nullWhenMissing)) ?? []) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(file, `${prefix}${entry.name}/`);
    // The file may have been removed since the folder was read.
    const found = entry.isFile() ? await stat(file).catch(nullWhenMissing) : null;
    if (found) yield { key: prefix + entry.name, bytes: found.size, modifiedAt: found.mtime };
  }
}

async function removeStaleParts(parts: string): Promise<void> {
  for (const name of await readdir(parts)) {
    const part = path.join(parts, name);
    const found = await stat(part).catch(nullWhenMissing);
    if (found && found.mtimeMs < Date.now() - PART_KEPT_MS) await rm(part, { force: true });
  }
}

/** Null when there is no such file. */
async function openFile(file: string): Promise<FileHandle | null> {
  const handle = await open(file).catch(nullWhenMissing);
  if (!handle || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

/** Fewer bytes where the file ends earlier. */
async function readPart(handle: FileHandle, { start, end }: ByteRange): Promise<Buffer> {
  const part = Buffer.allocUnsafe(end + 1 - start);
  let filled = 0;
  while (filled < part.length) {
    const { bytesRead } = await handle.read(part, filled, part.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return part.subarray(0, filled);
}

/** Makes the names survive a power failure: syncs the file's folder and its parents up to the first new one. */
async function syncFolders(folder: string, firstNewFolder: string | undefined): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return;
  const top = firstNewFolder ? path.dirname(firstNewFolder) : folder;
  for (let current = folder; ; current = path.dirname(current)) {
    const handle = await open(current);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (current === top) return;
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
