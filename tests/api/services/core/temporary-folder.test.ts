import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';

let dataDir: string;
let lines: string[];
let app: Pick<AppContext, 'config' | 'log'>;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'podium-work-'));
  lines = [];
  app = appIn(dataDir);
});
afterEach(() => rm(dataDir, { recursive: true }));

function appIn(folder: string): Pick<AppContext, 'config' | 'log'> {
  const log = pino({}, { write: (line: string) => lines.push(line) });
  return { config: { dataDir: folder } as AppContext['config'], log };
}

/** The folder cannot be removed afterwards, because its parent is a file. */
async function spoil(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  await rm(parent, { recursive: true });
  await writeFile(parent, '');
}

test('work keeps its result when its folder cannot be removed, and the log has a warning', async () => {
  const work = async (folder: string) => {
    await spoil(folder);
    return 'stored';
  };
  expect(await withTemporaryFolder(app, work)).toBe('stored');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'a work folder stays until the hourly clean-up' },
  ]);
});

test('a refusal stays the same when the folder cannot be removed', async () => {
  const work = async (folder: string) => {
    await spoil(folder);
    throw new AppError('photo_too_small');
  };
  await expect(withTemporaryFolder(app, work)).rejects.toMatchObject({ code: 'photo_too_small' });
});

test('work keeps its result on a disk that has become read-only', async ({ skip }) => {
  const disk = mountSmallDisk(1024 ** 2);
  if (!disk) return skip('this user may not mount a disk');
  try {
    const work = async () => {
      disk.makeReadOnly();
      return 'stored';
    };
    expect(await withTemporaryFolder(appIn(disk.folder), work)).toBe('stored');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('EROFS');
  } finally {
    disk.remove();
  }
});
