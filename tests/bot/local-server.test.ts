import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findLocalFile } from '#bot/download-file.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';

const SERVER_DIR = '/var/lib/telegram-bot-api';
const filesDir = mkdtempSync(path.join(tmpdir(), 'podium-bot-api-'));
afterAll(() => rmSync(filesDir, { recursive: true }));

describe('a Bot API server in --local mode', () => {
  const harness = useBotHarness({ TELEGRAM_FILES_DIR: filesDir });

  it('hands its files over on the disk, wherever that is mounted here', async () => {
    harness.telegram.localFiles = { asServer: SERVER_DIR, asSeen: filesDir };
    const user = await harness.newMember();
    user.sendFile(harness.photo);
    await user.waitFor(/Фото принято: 600×800/);
    // Such a server lets bots download everything.
    user.sendFile(Buffer.alloc(25 * 1024 * 1024, 1), { isSizeHidden: true });
    await user.waitFor(/больше 10 МБ/);
  });
});

describe('the path that such a server names', () => {
  const token = '42:token';
  const root = path.join(filesDir, 'roots');
  const own = path.join(root, token);
  mkdirSync(path.join(own, 'documents'), { recursive: true });
  mkdirSync(path.join(root, '43:other'));
  for (const place of ['42:token/documents/file_0', '43:other/file_0', 'secret']) {
    writeFileSync(path.join(root, place), 'x');
  }
  symlinkSync(path.join(root, 'secret'), path.join(own, 'documents', 'link'));
  const find = (filePath: string) => findLocalFile(filePath, { filesDir: root, token });

  it('leads into the folder of this bot', async () => {
    expect(await find(`${SERVER_DIR}/42:token/documents/file_0`)).toBe(path.join(own, 'documents/file_0'));
  });

  it.each([
    '/etc/passwd',
    `${SERVER_DIR}/43:other/file_0`,
    `${SERVER_DIR}/42:token/../43:other/file_0`,
    `${SERVER_DIR}/42:token/documents/../../secret`,
    `${SERVER_DIR}/42:token/documents/link`,
    `${SERVER_DIR}/42:token`,
  ])('leads nowhere else: %s', async (filePath) => {
    await expect(find(filePath)).rejects.toThrow(/Bot API server names a file/);
  });

  it('is explained in the log when nothing says where the files are', async () => {
    await expect(findLocalFile('/x/42:token/file_0', { filesDir: null, token })).rejects.toThrow(/TELEGRAM_FILES_DIR/);
  });
});
