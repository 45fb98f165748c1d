import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { describeObjectStorage } from './object-storage.contract.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'podium-storage-'));
});
afterAll(() => rm(root, { recursive: true }));

describeObjectStorage(async () => createDiskStorage({ folder: path.join(root, 'contract') }));

test('nothing half-written stays after success, failure or a check', async () => {
  const folder = path.join(root, 'parts');
  const storage = createDiskStorage({ folder });
  const broken = new Readable({ read: () => broken.destroy(new Error('cut')) });
  await storage.put('a/b', Buffer.from('x'));
  await storage.put('a/c', broken).catch(() => {});
  await storage.check();
  expect(await readdir(folder, { recursive: true })).toEqual(['.parts', 'a', 'a/b']);
});

test('unfinished files of a killed process are removed after a day, younger ones may be in use', async () => {
  const folder = path.join(root, 'stale');
  const parts = path.join(folder, '.parts');
  await mkdir(parts, { recursive: true });
  await writeFile(path.join(parts, 'old'), 'x');
  await writeFile(path.join(parts, 'young'), 'x');
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
  await utimes(path.join(parts, 'old'), twoDaysAgo, twoDaysAgo);
  await createDiskStorage({ folder }).put('a', Buffer.from('x'));
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
