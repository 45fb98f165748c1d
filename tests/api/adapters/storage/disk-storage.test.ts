import { once } from 'node:events';
import { createReadStream, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';
import { until } from '#tests/support/until.ts';
import { describeObjectStorage } from './object-storage.contract.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'podium-storage-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Files below the folder that this process has open. On Linux. */
async function countOpenFiles(folder: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((link) => link.startsWith(folder)).length;
}

describeObjectStorage(async () => createDiskStorage({ folder: path.join(root, 'contract') }));

test('nothing half-written stays after success, failure or a check', async () => {
  const folder = path.join(root, 'parts');
  const storage = createDiskStorage({ folder });
  const broken = new Readable({ read: () => broken.destroy(new Error('cut')) });
  await storage.put('a/b', Buffer.from('x'), 'text/plain');
  await storage.put('a/c', { open: () => broken, bytes: 9 }, 'text/plain').catch(() => {});
  await storage.check();
  expect(await readdir(folder, { recursive: true })).toEqual(['.parts', 'a', 'a/b']);
});

test('an unfinished file is there before its bytes are asked for, so none comes after it was removed', async () => {
  const folder = path.join(root, 'order');
  const whenAsked = () => {
    expect(readdirSync(path.join(folder, '.parts'))).toHaveLength(1);
    return Readable.from([Buffer.from('x')]);
  };
  await createDiskStorage({ folder }).put('a', { open: whenAsked, bytes: 1 }, 'text/plain');
  expect(await readdir(folder)).toEqual(['.parts', 'a']);
});

test('unfinished files of a killed process are removed after a day, younger ones may be in use', async () => {
  const folder = path.join(root, 'stale');
  const parts = path.join(folder, '.parts');
  await mkdir(parts, { recursive: true });
  await writeFile(path.join(parts, 'old'), 'x');
  await writeFile(path.join(parts, 'young'), 'x');
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
  await utimes(path.join(parts, 'old'), twoDaysAgo, twoDaysAgo);
  await createDiskStorage({ folder }).put('a', Buffer.from('x'), 'text/plain');
  expect(await readdir(parts)).toEqual(['young']);
});

test('a check of a folder that cannot be written to fails, and passes once it can', async () => {
  const folder = path.join(root, 'unwritable');
  await writeFile(folder, 'a file where the folder should be');
  const storage = createDiskStorage({ folder });
  await expect(storage.check()).rejects.toThrow();
  await rm(folder);
  await expect(storage.check()).resolves.toBeUndefined();
});

test('a folder that vanishes under a running process is a storage that is gone, not one without files', async () => {
  const folder = path.join(root, 'mount-point');
  const storage = createDiskStorage({ folder });
  await storage.put('photos/1/a.jpg', Buffer.from('x'), 'image/jpeg');
  for (const vanish of [() => rename(folder, `${folder}-elsewhere`), () => mkdir(folder)]) {
    await vanish();
    for (const call of [
      () => storage.findSize('photos/1/a.jpg'),
      () => storage.open('photos/1/a.jpg'),
      () => storage.read('photos/1/a.jpg'),
      () => storage.put('photos/1/b.jpg', Buffer.from('y'), 'image/jpeg'),
      () => storage.remove('photos/1/a.jpg'),
      () => storage.list('photos/')[Symbol.asyncIterator]().next(),
      () => storage.check(),
      () => storage.findFreeBytes(),
    ]) {
      await expect(call()).rejects.toThrow(StorageUnavailableError);
    }
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
  await rename(`${folder}-elsewhere`, folder);
  expect(await storage.findSize('photos/1/a.jpg')).toBe(1);
});

test('a storage that is gone opens no file that it cannot take', async () => {
  const folder = path.join(root, 'gone');
  const storage = createDiskStorage({ folder });
  await storage.check();
  await rm(folder, { recursive: true });
  const open = vi.fn(() => createReadStream(import.meta.filename));
  await expect(storage.put('a', { open, bytes: 5 }, 'video/mp4')).rejects.toThrow(StorageUnavailableError);
  expect(open).not.toHaveBeenCalled();
});

describe('a disk of its own', () => {
  const disk = mountSmallDisk(1_000_000);
  afterAll(() => disk?.remove());

  test.skipIf(!disk)('that is full refuses files, leaves no part of them and can still be read', async () => {
    const folder = path.join(disk!.folder, 'full');
    const storage = createDiskStorage({ folder });
    await storage.put('small', Buffer.from('small'), 'image/jpeg');
    expect(await storage.findFreeBytes()).toBeLessThan(1_000_000);
    await expect(storage.put('a/large', Buffer.alloc(2_000_000), 'image/jpeg')).rejects.toThrow(StorageFullError);
    expect(await readdir(folder, { recursive: true })).toEqual(['.parts', 'small']);
    await writeFile(path.join(disk!.folder, 'filler'), Buffer.alloc(2_000_000)).catch(() => {});
    await expect(storage.check()).rejects.toThrow(StorageFullError);
    expect((await buffer(await storage.open('small'))).toString()).toBe('small');
    await rm(path.join(disk!.folder, 'filler'));
    await expect(storage.check()).resolves.toBeUndefined();
  });

  test.skipIf(!disk)('that is read-only is not available for files, and can still be read', async () => {
    const storage = createDiskStorage({ folder: path.join(disk!.folder, 'read-only') });
    await storage.put('kept', Buffer.from('kept'), 'image/jpeg');
    disk!.makeReadOnly();
    try {
      await expect(storage.put('another', Buffer.from('x'), 'image/jpeg')).rejects.toThrow(StorageUnavailableError);
      await expect(storage.check()).rejects.toThrow(StorageUnavailableError);
      expect((await buffer(await storage.open('kept'))).toString()).toBe('kept');
    } finally {
      disk!.makeWritable();
    }
  });
});

test.runIf(process.platform === 'linux')(
  'a file that was sent, given up half-way, or has no source, is closed',
  async () => {
    const folder = path.join(root, 'sent');
    const storage = createDiskStorage({ folder });
    await storage.put('a', Buffer.alloc(1_000_000, 1), 'video/mp4');
    const range = { start: 1, end: 999_999 };
    const open = () => countOpenFiles(folder);
    const refuse = (): Readable => {
      throw new Error('no source');
    };
    await expect(storage.put('b', { open: refuse, bytes: 1 }, 'video/mp4')).rejects.toThrow('no source');
    await until(async () => expect(await open()).toBe(0));

    const whole = await storage.openToSend('a', range);
    expect(await open()).toBe(1);
    const sizes: number[] = [];
    whole.pipe(new Writable({ write: (chunk, _encoding, done) => done(void sizes.push(chunk.length)) }));
    await once(whole, 'close');
    expect([sizes.reduce((sum, size) => sum + size), await open()]).toEqual([999_999, 0]);

    const half = await storage.openToSend('a', range);
    half.pipe(new Writable({ write: () => half.destroy() }));
    await once(half, 'close');
    expect(await open()).toBe(0);
  },
);
