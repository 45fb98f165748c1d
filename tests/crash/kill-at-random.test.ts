import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { findFreePort, startServer, Visitor } from '#tests/support/running-server.ts';
import { killAtRandom } from './kill-at-random.ts';

const RENDER_TIMEOUT_MS = 90_000;

test('a render that is killed in the middle is finished after the next start, for one star', {
  timeout: 240_000,
}, async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-crash-'));
  const port = await findFreePort();
  let server = await startServer({ dataDir, port });
  try {
    const visitor = new Visitor(server);
    await visitor.register('killed@example.com');
    const imageId = await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 900, height: 1200 }));
    const { generationId } = await visitor.json<{ generationId: string }>('POST', '/api/generate', { imageId });
    const getState = () =>
      visitor.json<{ status: string; progress: { share: number | null } }>(
        'GET',
        `/api/status?generationId=${generationId}`,
      );
    await vi.waitFor(async () => {
      const { status, progress } = await getState();
      expect([status, progress.share]).toEqual(['generating', expect.any(Number)]);
      expect(progress.share).toBeGreaterThan(0);
    }, RENDER_TIMEOUT_MS);
    await server.kill();
    server = await startServer({ dataDir, port });
    await vi.waitFor(async () => expect((await getState()).status).toBe('completed'), RENDER_TIMEOUT_MS);
    expect(await visitor.json('GET', '/api/stars/balance')).toEqual({ balance: 1 });
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('after a kill at any moment every charge has a result or a release', { timeout: 300_000 }, async () => {
  const figures = await killAtRandom(5);
  expect(figures).toMatchObject({ kills: 5, lost: 0 });
  expect(figures.completed + figures.released + figures.notStarted).toBe(5);
});
