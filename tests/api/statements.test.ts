import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listStatements } from '#tests/support/count-statements.ts';
import {
  createGeneration,
  createImageResult,
  createPayment,
  createStoredPhoto,
  createVideoResult,
} from '#tests/support/factories.ts';
import { registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** How many statements a request may take does not depend on the machine, so it is checked like a behaviour. */

const START_MAX = 4;

let testApp: TestApp;
let cookie: string;
let accountId: number;

beforeAll(async () => {
  testApp = await createTestApp();
  const person = await registerVerified(testApp);
  cookie = person.cookie;
  accountId = person.account.id;
});
afterAll(() => testApp.close());

/** Sends the request twice and lists the statements of the second, so that what a process learns once is known. */
async function listStatementsOf(url: string): Promise<string[]> {
  const ask = async () => {
    const { statusCode, body } = await testApp.server.inject({ url, headers: { cookie } });
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`);
  };
  await ask();
  return listStatements(ask);
}

describe('one statement finds the session and all that the answer needs of', () => {
  test.each(['/api/auth/user', '/api/stars/balance', '/api/user/premium-status', '/api/gallery', '/api/videos'])(
    '%s',
    async (url) => {
      expect(await listStatementsOf(url)).toHaveLength(1);
    },
  );

  test('the status of a video, while it is made and afterwards', async () => {
    const { app } = testApp;
    const running = await createGeneration(app, accountId, 'video', 'generating');
    const finished = await createVideoResult(app, accountId);
    for (const id of [running, finished.generationId]) {
      expect(await listStatementsOf(`/api/status?generationId=${id}`)).toHaveLength(1);
      expect(await listStatementsOf(`/api/generations/${id}`)).toHaveLength(1);
    }
    await app.db.generation.update({ where: { id: running }, data: { status: 'failed' } });
  });

  test('a picture or a video by its address', async () => {
    const { app } = testApp;
    const image = await createImageResult(app, accountId);
    const video = await createVideoResult(app, accountId);
    const photo = await createStoredPhoto(app, accountId);
    await app.storage.put(photo.previewKey, Buffer.from('preview'), 'image/webp');
    const urls = [
      `/media/photos/${photo.id}/preview`,
      `/media/results/${image.generationId}/0/image`,
      `/media/results/${image.generationId}/0/poster`,
      `/media/results/${image.generationId}/0/thumbnail`,
      `/media/results/${video.generationId}/0/poster`,
    ];
    for (const url of urls) expect(await listStatementsOf(url), url).toHaveLength(1);
    await createPayment(app.db, accountId);
    for (const url of urls) expect(await listStatementsOf(url), url).toHaveLength(1);
    expect(await listStatementsOf(`/api/video-proxy/${video.generationId}`)).toHaveLength(1);
  });
});

test(`a start takes at most ${START_MAX} statements, with a key too`, async () => {
  const { app, server } = testApp;
  const photo = await createStoredPhoto(app, accountId);
  const start = async (key: string) => {
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: '/api/generate',
      headers: { cookie, 'idempotency-key': key },
      payload: { imageId: photo.id, settings: {} },
    });
    expect(statusCode, body).toBe(200);
    await app.db.generation.updateMany({ where: { accountId }, data: { status: 'failed' } });
  };
  await start('the first one, from which the process learns its storage');
  const statements = await listStatements(() => start('the counted one'));
  // The last one is the test's own.
  expect(statements.slice(0, -1).length).toBeLessThanOrEqual(START_MAX);
});
