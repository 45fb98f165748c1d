import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { type Role, type RunningServer, startServer, Visitor } from '#tests/support/running-server.ts';

const RENDER_TIMEOUT = { timeout: 60_000, interval: 250 };
/** Two processes can share a database only on a server. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
let place: TestDatabasePlace | null = null;
let processes: RunningServer[] = [];

beforeAll(async () => {
  if (!isOnServer) return;
  place = await createTestDatabase();
  const { dataDir, databaseUrl } = place;
  const start = async (role: Role) => startServer({ dataDir, databaseUrl, roles: [role] });
  processes = await Promise.all([start('api'), start('worker')]);
});

afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop()));
  await place?.remove();
});

test.runIf(isOnServer)(
  'what the api process takes in and calls off is rendered and stopped in the worker process',
  async () => {
    const [api, worker] = processes as [RunningServer, RunningServer];
    await expect(fetch(worker.url)).rejects.toThrow();
    const visitor = new Visitor(api);
    await visitor.register('apart@example.com');
    const imageId = await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 300, height: 400 }));
    const start = async () =>
      (await visitor.json<{ generationId: string }>('POST', '/api/generate', { imageId, settings: {} })).generationId;
    const statusOf = async (id: string) =>
      (await visitor.json<{ status: string }>('GET', `/api/status?generationId=${id}`)).status;
    const balance = async () => (await visitor.json<{ balance: number }>('GET', '/api/stars/balance')).balance;

    const cancelled = await start();
    await vi.waitFor(async () => expect(await statusOf(cancelled)).toBe('generating'), RENDER_TIMEOUT);
    expect(await balance()).toBe(1);
    const { outcome } = await visitor.json<{ outcome: string }>('POST', `/api/generations/${cancelled}/cancel`);
    expect([outcome, await statusOf(cancelled), await balance()]).toEqual(['cancelled', 'failed', 2]);

    // A change of background is rendered much faster than a video.
    const form = new FormData();
    form.set('imageId', imageId);
    form.set('backgroundImageUrl', '/backgrounds/concrete.webp');
    const { request_id: wanted } = await visitor.json<{ request_id: string }>('POST', '/api/change-model', form);
    const change = () =>
      visitor.json<{ status: string; result_url: string }>('GET', `/api/change-model/status/${wanted}`);
    await vi.waitFor(async () => expect((await change()).status).toBe('COMPLETED'), RENDER_TIMEOUT);
    expect(await balance()).toBe(1);
    const picture = await visitor.request('GET', new URL((await change()).result_url, api.url).pathname);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    expect(worker.output()).toContain('local job done');
    expect(api.output()).not.toContain('local job done');
  },
);
