/** Compares the time of GET /healthz while two videos render with that of the same server at rest. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { findFreePort, startServer, Visitor } from '#tests/support/running-server.ts';

const BUDGET_P99_MS = 50;
const PAUSE_MS = 5;
const REST_MS = 4_000;

const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
const server = await startServer({ dataDir, port: await findFreePort() });
try {
  const photo = await drawProductPhoto('garment', { width: 1200, height: 1600 });
  const visitors = await Promise.all(
    ['first', 'second'].map(async (name) => {
      const visitor = new Visitor(server);
      await visitor.register(`${name}@example.com`);
      return { visitor, imageId: await visitor.uploadPhoto(photo) };
    }),
  );
  const restEnd = Date.now() + REST_MS;
  const atRest = await ask(async () => Date.now() < restEnd);
  for (const { visitor, imageId } of visitors) {
    await visitor.json('POST', '/api/generate', { imageId, settings: { duration: 10 } });
  }
  const whileRendering = await ask(async () => {
    const states = await Promise.all(visitors.map(({ visitor }) => isRendering(visitor)));
    return states.some(Boolean);
  });
  const rest = percentile(atRest, 0.99);
  const busy = percentile(whileRendering, 0.99);
  console.log(
    `healthz p99 at rest ${rest.toFixed(1)} ms (${atRest.length} requests), while two videos render ` +
      `${busy.toFixed(1)} ms (${whileRendering.length} requests; budget ${BUDGET_P99_MS} ms), ratio ${(busy / rest).toFixed(1)}`,
  );
  if (busy > BUDGET_P99_MS) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function isRendering(visitor: Visitor): Promise<boolean> {
  const answer = await visitor.json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
  return answer.activeGenerations.length > 0;
}

/** Times of single requests, in milliseconds, until `goesOn` returns false. It is called about once a second. */
async function ask(goesOn: () => Promise<boolean>): Promise<number[]> {
  const times: number[] = [];
  let nextLook = Date.now() + 1_000;
  for (;;) {
    const start = performance.now();
    const answer = await fetch(`${server.url}/healthz`);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    if (Date.now() >= nextLook) {
      if (!(await goesOn())) return times;
      nextLook = Date.now() + 1_000;
    }
    await wait(PAUSE_MS);
  }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
