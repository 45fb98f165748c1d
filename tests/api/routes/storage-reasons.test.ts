import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { registerVerified, type TestUser, uploadPhoto } from '#tests/support/users.ts';

let testApp: TestApp;
let logLines: string[];
// One for each test, because a log has one line a minute about an outage.
beforeEach(async () => {
  logLines = [];
  testApp = await createTestApp({ onLogLine: (line) => logLines.push(line) });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await testApp.close();
});

async function start({ cookie, account }: TestUser) {
  const { id: imageId } = await createPhoto(testApp.app, account.id);
  const payload = { imageId, settings: {} };
  return testApp.server.inject({ method: 'POST', url: '/api/generate', headers: { cookie }, payload });
}

async function upload(user: TestUser) {
  return uploadPhoto(testApp, user, await drawJpeg(400, 500));
}

async function refuseAccess(): Promise<void> {
  const refusal = new StorageUnavailableError(new Error('AccessDenied'));
  vi.spyOn(testApp.app.storage, 'check').mockRejectedValue(refusal);
}

test.each([start, upload])('the log says why a storage refuses (%o)', async (act) => {
  const user = await registerVerified(testApp);
  await refuseAccess();
  testApp.app.state.storageRoom.forget();
  testApp.app.state.storageCheck.forget();
  const answer = await act(user);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'storage_unavailable']);
  const { requestId } = answer.json();
  const line = logLines.find((logged) => logged.includes(requestId) && logged.includes('"err"'));
  expect(line).toContain('AccessDenied');
});
