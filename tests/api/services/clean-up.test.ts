import { existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeExpired } from '#api/services/clean-up.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test('work folders of killed processes go; one that is gone already, or still in use, is no failure', async () => {
  const work = path.join(testApp.app.config.dataDir, 'work');
  const [current, stale] = [path.join(work, 'task-current'), path.join(work, 'task-stale')];
  for (const folder of [current, stale]) mkdirSync(folder, { recursive: true });
  const longAgo = new Date(Date.now() - 48 * 3_600_000);
  utimesSync(stale, longAgo, longAgo);
  // Listed, but not to be found: what a folder is that its task removes at this moment.
  symlinkSync('nowhere', path.join(work, 'task-gone'));
  await removeExpired(testApp.app);
  expect([existsSync(current), existsSync(stale)]).toEqual([true, false]);
});
