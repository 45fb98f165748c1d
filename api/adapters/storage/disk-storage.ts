import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, type ListedObject, ObjectNotFoundError, type ObjectStorage } from './object-storage.ts';

/** Unfinished files. No key starts with a dot, so nothing in here can be read as an object. */
const PARTS_FOLDER = '.parts';
/** An older part was left by a process that was killed. */
const PART_KEPT_MS = 24 * 60 * 60_000;
/** Segments start with a letter or a digit, so `..` and hidden files are impossible. */
const KEY = /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)*$/i;
const KEY_MAX_LENGTH = 300;

/** Stores objects as files below `folder`. A file gets its name only when it is completely on the disk. */
export function createDiskStorage({ folder }: { folder: string }): ObjectStorage {
  const root = path.resolve(folder);
  const parts = path.join(root, PARTS_FOLDER);
  let isSwept = false;

  function locate(key: string): string {
    if (key.length > KEY_MAX_LENGTH || !KEY.test(key)) throw new Error(`Not a storage key: ${key}`);
    return path.join(root, key);
  }

  /** Writes a part and passes it to `use`. Removes it afterwards if `use` has not moved it. */
  async function withPart(content: Buffer | Readable, use: (part: string) => Promise<void>): Promise<void> {
    await mkdir(parts, { recursive: true });
    if (!isSwept) await removeStaleParts(parts);
    isSwept = true;
    const part = path.join(parts, randomUUID());
    try {
      // `flush` writes the bytes to the disk before the file is closed.
      await pipeline(
        content instanceof Readable ? content : [content],
        createWriteStream(part, { flags: 'wx', flush: true }),
      );
      await use(part);
    } finally {
      await rm(part, { force: true });
    }
  }

  return {
    name: 'disk',

    async put(key, content) {
      const file = locate(key);
      await withPart(content, async (part) => {
        const firstNewFolder = await mkdir(path.dirname(file), { recursive: true });
        await rename(part, file);
        await syncFolders(path.dirname(file), firstNewFolder);
      });
    },

    async open(key, range) {
      return openFile(key, locate(key), range);
    },

    async findSize(key) {
      const found = await stat(locate(key)).catch(nullWhenMissing);
      return found?.isFile() ? found.size : null;
    },

    async remove(key) {
      await rm(locate(key), { force: true });
    },

    list(prefix) {
      return walk(locate(prefix.replace(/\/$/, '')), prefix);
    },

    async check() {
      await withPart(Buffer.from('probe'), async () => {});
    },
  };
}

async function* walk(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(nullWhenMissing)) ?? []) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(file, `${prefix}${entry.name}/`);
    // The file may have been removed since the folder was read.
    const found = entry.isFile() ? await stat(file).catch(nullWhenMissing) : null;
    if (found) yield { key: prefix + entry.name, modifiedAt: found.mtime };
  }
}

async function removeStaleParts(parts: string): Promise<void> {
  for (const name of await readdir(parts)) {
    const part = path.join(parts, name);
    const found = await stat(part).catch(nullWhenMissing);
    if (found && found.mtimeMs < Date.now() - PART_KEPT_MS) await rm(part, { force: true });
  }
}

async function openFile(key: string, file: string, range: ByteRange | undefined): Promise<Readable> {
  const handle = await open(file).catch(nullWhenMissing);
  if (!handle) throw new ObjectNotFoundError(key);
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw new ObjectNotFoundError(key);
  }
  return createReadStream(file, { fd: handle, ...range });
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
