import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explainWorkFailure } from '#api/adapters/storage/disk-failures.ts';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';

const disk = mountSmallDisk(2_000_000);
afterAll(() => disk?.remove());
/** An encoder reports a full disk in words of its own. */
const failure = new Error('ffmpeg ended with 228');

test('work that failed on a disk with space has failed for its own reason', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-work-'));
  expect(await explainWorkFailure(failure, folder)).toBe(failure);
  await rm(folder, { recursive: true });
});

test.skipIf(!disk)(
  'work that failed on a full disk has failed because of the disk, whatever its error says',
  async () => {
    const filler = path.join(disk!.folder, 'filler');
    await writeFile(filler, Buffer.alloc(3_000_000)).catch(() => {});
    expect(await explainWorkFailure(failure, disk!.folder)).toBeInstanceOf(StorageFullError);
    await rm(filler);
    expect(await explainWorkFailure(failure, disk!.folder)).toBe(failure);
  },
);

test.skipIf(!disk)('work that failed on a read-only disk has failed because of the disk', async () => {
  disk!.makeReadOnly();
  expect(await explainWorkFailure(failure, disk!.folder)).toBeInstanceOf(StorageUnavailableError);
  disk!.makeWritable();
});
