/**
 * Uploads of 10 MB, 20 at once. First megabytes that are received for a second of the server's CPU, beside a bare `http`
 * server that hashes the same bytes and writes them to a file. The bytes are no photo, so the program refuses them when
 * all have come and been written: looking at a photo is another bench (`ingest`). Then the resident memory of the
 * program and its processes while 20 real photos come in and are looked at, above that at rest. Runs on PostgreSQL.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { listTree, measureTree, measureTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { createAccount } from '#tests/support/factories.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { startServer } from '#tests/support/running-server.ts';
import { alternate, reportFigure, round } from './figures.ts';
import { createToken, fillDatabase } from './fill-database.ts';

const AT_ONCE = 20;
const ROUNDS = 5;
const MEMORY_ROUNDS = 2;
const SAMPLE_MS = 20;
const BUDGET_MB = 250;
const MEGABYTE = 1024 * 1024;

const postgres = await startPrivatePostgres();
const server = await startServer({ roles: ['api'], databaseUrl: postgres.url, env: { LOG_LEVEL: 'error' } });
const floor = fork(path.join(import.meta.dirname, 'upload-floor.ts'), [server.dataDir]);
try {
  const [floorUrl] = await once(floor, 'message');
  const noPhoto = await encodeFileForm('image', { content: randomBytes(PHOTO_MAX_BYTES), name: 'photo.jpg' });
  const { values, floorValues } = await alternate(ROUNDS, {
    figure: async () => {
      const cookie = await signIn();
      return measureRate(server.pid, () => sendAll(`${server.url}/api/upload`, { ...noPhoto, cookie, status: 415 }));
    },
    floor: () => measureRate(floor.pid ?? 0, () => sendAll(floorUrl, { ...noPhoto, cookie: '', status: 200 })),
  });
  reportFigure({
    what: `receiving ${AT_ONCE} uploads of 10 MB at once`,
    unit: 'MB for a second of CPU',
    values,
    floor: { what: 'raw http, hashed, to file', values: floorValues },
    budget: { atLeast: 0.7 },
  });
  const photo = await encodeFileForm('image', { content: await drawLargePhoto(), name: 'photo.jpg' });
  console.log(`receiving them takes ${round(await measureGrowth({ ...noPhoto, status: 415 }))} MB of memory`);
  const peaks: number[] = [];
  for (let index = 0; index < MEMORY_ROUNDS; index++) {
    peaks.push(await measureGrowth({ ...photo, status: 200 }));
  }
  reportFigure({
    what: `memory of ${AT_ONCE} uploads of 10 MB at once`,
    unit: 'MB more than at rest',
    values: peaks,
    budget: { atMost: BUDGET_MB },
  });
} finally {
  floor.kill();
  await server.stop();
  await postgres.stop();
}

type Form = Awaited<ReturnType<typeof encodeFileForm>>;

async function measureRate(pid: number, work: () => Promise<unknown>): Promise<number> {
  return ((AT_ONCE * PHOTO_MAX_BYTES) / MEGABYTE / (await measureTreeCpu(pid, work))) * 1000;
}

async function measureGrowth(form: Form & { status: number }): Promise<number> {
  const cookie = await signIn();
  // The processes of the round before wait some seconds for more work.
  while (listTree(server.pid).length > 1) await wait(SAMPLE_MS);
  const rest = measureTree(server.pid, 'Rss');
  let peak = rest;
  const sampling = setInterval(() => {
    peak = Math.max(peak, measureTree(server.pid, 'Rss'));
  }, SAMPLE_MS);
  await sendAll(`${server.url}/api/upload`, { ...form, cookie });
  clearInterval(sampling);
  return (peak - rest) / MEGABYTE;
}

function sendAll(url: string, { status, cookie, headers, body }: Form & { status: number; cookie: string }) {
  return Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const answer = await fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { ...headers, cookie, origin: server.url },
      });
      assert.equal(answer.status, status, await answer.text());
    }),
  );
}

/** The cookie of a new account: an account may upload 90 photos a minute. */
function signIn(): Promise<string> {
  return fillDatabase({ dataDir: server.dataDir, databaseUrl: postgres.url }, async (database) => {
    const { id } = await createAccount(database);
    return `podium_session=${await createToken(database, id)}`;
  });
}

/** As large in pixels as a phone makes it. Bytes after the end of a JPEG are allowed, and bring it to 10 MB. */
async function drawLargePhoto(): Promise<Buffer> {
  const jpeg = await drawProductPhoto('garment', { width: 3000, height: 4000 });
  return Buffer.concat([jpeg, Buffer.alloc(PHOTO_MAX_BYTES - jpeg.length)]);
}
