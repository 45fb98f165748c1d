/**
 * Measures what Podium adds to the time of an engine: from the answer to an order until the engine has it, and from the
 * end of the engine's work until the owner's page has heard of it and reads the result. A server with all roles makes
 * videos one after the other over HTTP, on both databases. Its engine behaves as the local one: it tells how far it is,
 * and at once when it has ended. That of a provider has ended when its file is there, which takes longer to fetch than a
 * process to start. Its file is a small video.
 */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { openEvents } from '#tests/support/event-reader.ts';
import { createPayment } from '#tests/support/factories.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { registerVerified } from '#tests/support/users.ts';
import { percentile, reportFigure } from './figures.ts';

const BUDGET_MS = 150;
const WARM_UPS = 3;
const ORDERS = 20;
/** The local engine needs longer, and others even more. */
const WORK_MS = 1_500;
/** What it does before its first frame, as a share of its time, and as the share of the work that it tells. */
const PREPARATION = { time: 0.4, share: 0.15 };
/** As often as the local engine is asked. */
const POLL_INTERVAL_MS = 500;

interface Moments {
  begunAt: number;
  endedAt: number;
}

/** Makes the engine of a test take its time, and notes when it begins and ends. */
function makeWork(engine: GenerationEngine, videoFile: string): { next(): void; moments(): Moments } {
  let moments: Moments = { begunAt: 0, endedAt: 0 };
  let working: Promise<void> = Promise.resolve();
  const finish = async () => {
    await wait(WORK_MS);
    moments.endedAt = performance.now();
  };
  const { submit } = engine;
  Object.assign(engine, {
    pollIntervalMs: POLL_INTERVAL_MS,
    submit(order) {
      moments.begunAt = performance.now();
      working = finish();
      return submit(order);
    },
    whenEnded: () => (moments.endedAt === 0 ? working : null),
    async poll() {
      if (moments.endedAt === 0) {
        return { state: 'running', share: formatShare((performance.now() - moments.begunAt) / WORK_MS) };
      }
      const output = { position: 0, contentType: 'video/mp4', open: async () => createReadStream(videoFile) } as const;
      return { state: 'completed', outputs: [output] };
    },
  } satisfies Partial<GenerationEngine>);
  return {
    next() {
      moments = { begunAt: 0, endedAt: 0 };
    },
    moments: () => moments,
  };
}

/** The share that the local engine tells of its work at this share of its time. */
function formatShare(time: number): number {
  const { time: begin, share } = PREPARATION;
  return time < begin ? (share * time) / begin : share + ((1 - share) * (time - begin)) / (1 - begin);
}

/** An owner with a photo. `ask` calls the server as the page does. */
async function enter(testApp: TestApp) {
  const { app, server } = testApp;
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const { cookie, account } = await registerVerified(testApp);
  await app.db.account.update({ where: { id: account.id }, data: { starBalance: 10_000 } });
  await createPayment(app.db, account.id);
  const ask = async <T>(method: string, target: string, body?: object): Promise<T> => {
    const answer = await fetch(url + target, {
      method,
      headers: { cookie, origin: url, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const content = await drawProductPhoto('garment', { width: 300, height: 400 });
  const form = await encodeFileForm('image', { content, name: 'photo.jpg', type: 'image/jpeg' });
  const uploaded = await server.inject({
    method: 'POST',
    url: '/api/upload',
    payload: form.body,
    headers: { ...form.headers, cookie },
  });
  return {
    ask,
    imageId: uploaded.json<{ id: string }>().id,
    events: await openEvents(`${url}/api/events`, { cookie }),
  };
}

/** Both times of each order. */
async function measure(): Promise<{ starts: number[]; ends: number[] }> {
  const testApp = await createTestApp();
  const videoFile = path.join(testApp.database.dataDir, 'engine.mp4');
  await writeFile(videoFile, (await drawTestVideo()).content);
  const work = makeWork(testApp.engine, videoFile);
  await startJobs(testApp.app);
  const { ask, imageId, events } = await enter(testApp);

  /** Orders a video and returns both times. */
  async function order(): Promise<{ start: number; end: number }> {
    work.next();
    const { generationId } = await ask<{ generationId: string }>('POST', '/api/generate', { imageId, settings: {} });
    const answeredAt = performance.now();
    for (;;) {
      await events.next(60_000);
      const { status } = await ask<{ status: string }>('GET', `/api/status?generationId=${generationId}`);
      if (status !== 'completed') continue;
      const { begunAt, endedAt } = work.moments();
      return { start: Math.max(0, begunAt - answeredAt), end: performance.now() - endedAt };
    }
  }

  for (let index = 0; index < WARM_UPS; index++) await order();
  const times: { start: number; end: number }[] = [];
  for (let index = 0; index < ORDERS; index++) times.push(await order());
  events.close();
  await testApp.close();
  return { starts: times.map(({ start }) => start), ends: times.map(({ end }) => end) };
}

async function report(on: string): Promise<void> {
  const { starts, ends } = await measure();
  const budget = { atMost: BUDGET_MS };
  reportFigure({
    what: `overhead: from the answer to an order to its engine, p95, ${on}`,
    unit: 'ms',
    values: [percentile(starts, 0.95)],
    budget,
  });
  reportFigure({
    what: `overhead: from the engine's end to the status on the page, p95, ${on}`,
    unit: 'ms',
    values: [percentile(ends, 0.95)],
    budget,
  });
}

delete process.env.TEST_DATABASE_URL;
await report('PGlite');
const postgres = await startPrivatePostgres();
process.env.TEST_DATABASE_URL = postgres.url;
try {
  await report('PostgreSQL');
} finally {
  await postgres.stop();
}
process.exit();
