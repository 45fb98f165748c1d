import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { startServer, Visitor } from '#tests/support/running-server.ts';

/** `KILLS=5 npm run test:slow -- crash` runs a quick check. */
const KILLS = Number(process.env.KILLS ?? 50);
/** These limits are for a machine that does much else. Alone a render takes seconds. */
const KILL_TIMEOUT_MS = 240_000;
const RENDER_TIMEOUT_MS = 300_000;
/** From the request until shortly after the end of a render. */
const LONGEST_DELAY_MS = 14_000;
const FINISH_TIMEOUT_MS = 300_000;

test('a render that is killed in the middle is finished after the next start, for one star', {
  timeout: 900_000,
}, async () => {
  let server = await startServer();
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
    server = await server.startAgain();
    await vi.waitFor(async () => expect((await getState()).status).toBe('completed'), RENDER_TIMEOUT_MS);
    expect(await visitor.getBalance()).toBe(1);
  } finally {
    await server.stop();
  }
});

test('after a kill at any moment every charge has a result or a release', {
  timeout: KILLS * KILL_TIMEOUT_MS,
}, async () => {
  const figures = await killAtRandom(KILLS);
  console.log(figures);
  expect(figures).toMatchObject({ kills: KILLS, lost: 0 });
  expect(figures.completed + figures.released + figures.notStarted).toBe(KILLS);
});

interface KillFigures {
  kills: number;
  /** Starts that were answered before the kill. */
  acknowledged: number;
  completed: number;
  /** Failed generations whose star was returned. */
  released: number;
  /** Killed before anything was stored. Nothing was charged or acknowledged. */
  notStarted: number;
  /** Charges without a result or a release, and acknowledged starts that vanished: must be 0. */
  lost: number;
}

/**
 * Kills the server with SIGKILL at `count` random moments between a request and its finish. Starts it again each time
 * and checks that every charge has a result or a release.
 */
async function killAtRandom(count: number, random: () => number = Math.random): Promise<KillFigures> {
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  const figures: KillFigures = { kills: 0, acknowledged: 0, completed: 0, released: 0, notStarted: 0, lost: 0 };
  let server = await startServer();
  try {
    for (let round = 0; round < count; round++) {
      const visitor = new Visitor(server);
      await visitor.register(`crash-${round}@example.com`);
      const imageId = await visitor.uploadPhoto(photo);
      // A third of the kills come in the first moments, when the transactions run.
      const delayMs = random() < 0.33 ? random() * 300 : random() * LONGEST_DELAY_MS;
      const start = visitor
        .json<{ generationId: string }>('POST', '/api/generate', { imageId, settings: {} })
        .catch(() => null);
      await wait(delayMs);
      await server.kill();
      figures.kills++;
      const acknowledged = await start;
      if (acknowledged) figures.acknowledged++;
      server = await server.startAgain();
      await judge(visitor, acknowledged?.generationId ?? null, figures);
    }
  } finally {
    await server.stop();
  }
  return figures;
}

/** A new account has two stars. Afterwards one is spent and there is a video, or both are back. */
async function judge(visitor: Visitor, generationId: string | null, figures: KillFigures): Promise<void> {
  const deadline = Date.now() + FINISH_TIMEOUT_MS;
  while ((await visitor.isWaiting()) && Date.now() < deadline) await wait(250);
  const { videos } = await visitor.json<{ videos: { id: string }[] }>('GET', '/api/videos');
  const balance = await visitor.getBalance();
  const isKnown =
    generationId === null || (await visitor.request('GET', `/api/status?generationId=${generationId}`)).ok;
  if (videos.length === 1 && balance === 1) figures.completed++;
  else if (videos.length === 0 && balance === 2 && generationId === null) figures.notStarted++;
  else if (videos.length === 0 && balance === 2 && isKnown) figures.released++;
  else figures.lost++;
}
