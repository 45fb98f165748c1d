/**
 * Whether the server answers while it renders: processor time that its main thread spends for one GET /healthz while two
 * videos are made, beside the same at rest. A thread that draws or encodes would spend hundreds of milliseconds. Time on
 * the wall says on a small machine what the renders leave of it, so it is told only.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readMainThreadCpu } from '#tests/slow/memory/measure-tree.ts';
import { startServer, Visitor } from '#tests/support/running-server.ts';
import { percentile, reportFigure, round } from './figures.ts';

const ROUNDS = 2;
const REQUESTS_AT_REST = 500;
const REQUESTS_AT_ONCE = 50;
const PAUSE_MS = 5;
/** Each request also carries its share of what the server does for the renders, such as their progress. */
const BUDGET = 2;

const server = await startServer();
try {
  const photo = await drawProductPhoto('garment', { width: 1200, height: 1600 });
  const values: number[] = [];
  const floorValues: number[] = [];
  const times: number[] = [];
  for (let index = 0; index < ROUNDS; index++) {
    const orders = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const visitor = new Visitor(server);
        await visitor.register(`${name}-${index}@example.com`);
        return { visitor, imageId: await visitor.uploadPhoto(photo) };
      }),
    );
    floorValues.push((await ask(REQUESTS_AT_REST)).cpu);
    for (const { visitor, imageId } of orders) {
      await visitor.json('POST', '/api/generate', { imageId, settings: { duration: 10 } });
    }
    const parts: number[] = [];
    do {
      const part = await ask(REQUESTS_AT_ONCE);
      parts.push(part.cpu);
      times.push(...part.times);
    } while ((await Promise.all(orders.map(({ visitor }) => visitor.isWaiting()))).some(Boolean));
    values.push(parts.reduce((sum, cpu) => sum + cpu, 0) / parts.length);
  }
  reportFigure({
    what: 'healthz while two videos render, main thread',
    unit: 'ms of CPU',
    values,
    floor: { what: 'at rest', values: floorValues },
    budget: { atMost: BUDGET },
  });
  console.log(`answered within ${round(percentile(times, 0.99))} ms (p99)`);
} finally {
  await server.stop();
}

/** Processor time of the server's main thread for each request, and the time of each on the wall, in milliseconds. */
async function ask(requests: number): Promise<{ cpu: number; times: number[] }> {
  const times: number[] = [];
  const before = readMainThreadCpu(server.pid);
  for (let sent = 0; sent < requests; sent++) {
    const start = performance.now();
    const answer = await fetch(`${server.url}/healthz`);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    await wait(PAUSE_MS);
  }
  return { cpu: (readMainThreadCpu(server.pid) - before) / requests, times };
}
