import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { hasNginx, startNginx } from '#tests/support/start-nginx.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const NAME = hasNginx
  ? 'files sent by nginx'
  : 'files sent by nginx (skipped: there is no nginx here, see apt-get install nginx-light)';

describe.skipIf(!hasNginx)(NAME, () => {
  let testApp: TestApp;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let owner: TestUser;
  let stranger: TestUser;
  let video: Awaited<ReturnType<typeof createVideoResult>>;
  let content: Buffer;

  beforeAll(async () => {
    testApp = await createTestApp({ env: { MEDIA_ACCEL: 'nginx' } });
    const { app, server } = testApp;
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    nginx = await startNginx(`http://127.0.0.1:${port}`, app.config.dataDir);
    [owner, stranger] = [await registerVerified(testApp), await registerVerified(testApp)];
    await createPayment(app.db, owner.account.id);
    video = await createVideoResult(app, owner.account.id);
    content = Buffer.from('0123456789'.repeat(1000));
    await app.storage.put(video.originalKey, content, 'video/mp4');
    await app.db.result.update({ where: { id: video.id }, data: { bytes: content.length } });
  });
  afterAll(async () => {
    await nginx.stop();
    await testApp.close();
  });

  const get = (
    path: string,
    {
      as = owner,
      method = 'GET',
      ...headers
    }: { as?: TestUser; method?: string; range?: string; 'if-none-match'?: string } = {},
  ) => fetch(nginx.url + path, { method, headers: { cookie: as.cookie, ...headers } });
  const videoPath = () => `/api/video-proxy/${video.generationId}`;

  test('come whole, in part, as a head and not again, with the type and the name that the program gives', async () => {
    const whole = await get(`${videoPath()}?download=1`);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(content);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': expect.stringMatching(/^attachment; filename=".+"; filename\*=UTF-8''/),
      'x-content-type-options': 'nosniff',
    });
    expect(whole.headers.has('x-accel-redirect')).toBe(false);
    const part = await get(videoPath(), { range: 'bytes=10-14' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 10-14/10000',
      '01234',
    ]);
    expect((await get(videoPath(), { range: 'bytes=20000-' })).status).toBe(416);
    const head = await get(videoPath(), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10000', '']);
    const etag = whole.headers.get('etag') ?? '';
    expect((await get(videoPath(), { 'if-none-match': etag })).status).toBe(304);
  });

  test('come without ranges where there are none', async () => {
    const whole = await get(videoPath().replace('proxy', 'proxy-full'), { range: 'bytes=10-14' });
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, 10_000]);
  });

  test('are their owner’s alone', async () => {
    expect((await get(videoPath(), { as: stranger })).status).toBe(403);
    expect((await get(videoPath(), { as: { ...owner, cookie: '' } })).status).toBe(401);
    expect((await get(`/api/video-proxy/${randomUUID()}`)).status).toBe(404);
  });

  test('carry the logo for an owner who has not paid', async () => {
    const image = await createImageResult(testApp.app, stranger.account.id);
    const path = `/media/results/${image.generationId}/0/image`;
    const { app } = testApp;
    const shown = Buffer.from(await (await get(path, { as: stranger })).arrayBuffer());
    const { watermarkedKey } = await app.db.result.findUniqueOrThrow({ where: { id: image.id } });
    expect(shown.length).toBe(await app.storage.findSize(watermarkedKey ?? ''));
    expect(shown.length).not.toBe(await app.storage.findSize(image.originalKey));
  });

  test('cannot be reached past the program', async () => {
    for (const location of ['/internal-files/', '/internal-whole-files/']) {
      for (const path of [video.originalKey, `x/../${video.originalKey}`, '']) {
        const answer = await get(location + path);
        expect([answer.status, (await answer.text()).includes('0123456789')], location + path).toEqual([404, false]);
      }
    }
  });
});
