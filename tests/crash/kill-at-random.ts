import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { findFreePort, startServer, Visitor } from '#tests/support/running-server.ts';

/** From the request to a little after the finish of a render. */
const LONGEST_DELAY_MS = 14_000;
const FINISH_TIMEOUT_MS = 120_000;

export interface KillFigures {
  kills: number;
  /** Starts whose answer arrived before the kill. */
  acknowledged: number;
  completed: number;
  /** Failed, and the star came back. */
  released: number;
  /** Killed before anything was written: nothing charged, nothing promised. */
  notStarted: number;
  /** Charges without a result or a release, and acknowledged starts that vanished: must be 0. */
  lost: number;
}

/**
 * Kills the server with SIGKILL at `count` moments spread at random between a request and its finish, starts it again
 * each time, and looks whether every charge has a result or a release.
 */
export async function killAtRandom(count: number, random: () => number = Math.random): Promise<KillFigures> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-crash-'));
  const port = await findFreePort();
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  const figures: KillFigures = { kills: 0, acknowledged: 0, completed: 0, released: 0, notStarted: 0, lost: 0 };
  let server = await startServer({ dataDir, port });
  try {
    for (let round = 0; round < count; round++) {
      const visitor = new Visitor(server);
      await visitor.register(`crash-${round}@example.com`);
      const imageId = await visitor.uploadPhoto(photo);
      // A third of the kills falls into the first moments, where the transactions are.
      const delayMs = random() < 0.33 ? random() * 300 : random() * LONGEST_DELAY_MS;
      const start = visitor
        .json<{ generationId: string }>('POST', '/api/generate', { imageId, settings: {} })
        .catch(() => null);
      await wait(delayMs);
      await server.kill();
      figures.kills++;
      const acknowledged = await start;
      if (acknowledged) figures.acknowledged++;
      server = await startServer({ dataDir, port });
      await judge(visitor, acknowledged?.generationId ?? null, figures);
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return figures;
}

/** Two stars at sign-up: afterwards either one is spent and a video is there, or both are back. */
async function judge(visitor: Visitor, generationId: string | null, figures: KillFigures): Promise<void> {
  const deadline = Date.now() + FINISH_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { activeGenerations } = await visitor.json<{ activeGenerations: unknown[] }>(
      'GET',
      '/api/active-generations',
    );
    if (activeGenerations.length === 0) break;
    await wait(250);
  }
  const { videos } = await visitor.json<{ videos: { id: string }[] }>('GET', '/api/videos');
  const { balance } = await visitor.json<{ balance: number }>('GET', '/api/stars/balance');
  const isKnown =
    generationId === null || (await visitor.request('GET', `/api/status?generationId=${generationId}`)).ok;
  if (videos.length === 1 && balance === 1) figures.completed++;
  else if (videos.length === 0 && balance === 2 && generationId === null) figures.notStarted++;
  else if (videos.length === 0 && balance === 2 && isKnown) figures.released++;
  else figures.lost++;
}
