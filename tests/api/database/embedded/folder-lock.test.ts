import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUseError, lockFolder } from '#api/database/embedded/folder-lock.ts';
import { type ChildScript, runChildScript } from '#tests/support/child-script.ts';

let folder: string;
let child: ChildScript | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-lock-'));
});
afterEach(async () => {
  await child?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function lockInChild(): Promise<string> {
  child = runChildScript(`
    import { lockFolder } from '#api/database/embedded/folder-lock.ts';
    lockFolder(${JSON.stringify(folder)});
    console.log(process.pid);
    setInterval(() => {}, 1000);
  `);
  return child.nextLine();
}

test('a folder that another process works in is refused, naming the folder and the process', async () => {
  const pid = await lockInChild();
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  expect(() => lockFolder(folder)).toThrow(folder);
  expect(() => lockFolder(folder)).toThrow(`process ${pid}`);
});

test('after kill -9 of its holder the folder is free at once', async () => {
  await lockInChild();
  await child?.kill();
  lockFolder(folder).release();
});

test('a released folder can be taken again', () => {
  lockFolder(folder).release();
  lockFolder(folder).release();
});
