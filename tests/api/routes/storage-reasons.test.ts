import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createPhoto } from '#tests/support/factories.ts';
import { type Person, registerVerified, uploadPhoto } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

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

async function start({ cookie, account }: Person) {
  const { id: imageId } = await createPhoto(testApp.app, account.id);
  const payload = { imageId, settings: {} };
  return testApp.server.inject({ method: 'POST', url: '/api/generate', headers: { cookie }, payload });
}

async function upload(person: Person) {
  return uploadPhoto(testApp, person, await drawJpeg(400, 500));
}

async function refuseAccess(): Promise<void> {
  const refusal = new StorageUnavailableError(new Error('AccessDenied'));
  vi.spyOn(testApp.app.storage, 'check').mockRejectedValue(refusal);
}

test.each([start, upload])('the log says why a storage refuses (%o)', async (act) => {
  const person = await registerVerified(testApp);
  await refuseAccess();
  testApp.app.state.storageRoom.forget();
  testApp.app.state.storageCheck.forget();
  const answer = await act(person);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'storage_unavailable']);
  const { requestId } = answer.json();
  const line = logLines.find((logged) => logged.includes(requestId) && logged.includes('"err"'));
  expect(line).toContain('AccessDenied');
});
