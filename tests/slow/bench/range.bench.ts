/**
 * Megabytes of a video, asked for as a range, for a second of CPU: from the program alone and from nginx with the program
 * behind it (MEDIA_ACCEL=nginx), beside the same file from nginx with sendfile and nothing behind it. Counts the program,
 * nginx, PostgreSQL, which the program asks each time whose the file is, and on both sides the client, which is this
 * process: over the loopback sendfile copies nothing, and leaves that to whoever receives.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { measureTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { startServer } from '#tests/support/running-server.ts';
import { hasNginx, startNginx } from '#tests/support/start-nginx.ts';
import { fetchAgain } from './fetch-again.ts';
import { alternate, reportFigure } from './figures.ts';
import { createToken, fillDatabase } from './fill-database.ts';

const VIDEO_BYTES = 8 * 1024 * 1024;
/** The rest pays for the owner check of each range. */
const BUDGET = 0.6;
const ROUNDS = 9;
const TIMES = 25;
const MEGABYTES = (TIMES * VIDEO_BYTES) / 1024 / 1024;

if (!hasNginx) throw new Error('nginx is not installed: nothing was measured');
const postgres = await startPrivatePostgres();
const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
const storage = createDiskStorage({ folder: path.join(dataDir, 'files') });
const start = (MEDIA_ACCEL: string) =>
  startServer({ dataDir, roles: ['api'], databaseUrl: postgres.url, env: { MEDIA_ACCEL, LOG_LEVEL: 'warn' } });
const [alone, behindNginx] = [await start('off'), await start('nginx')];
const nginx = await startNginx(behindNginx.url.replace('localhost', '127.0.0.1'), dataDir);
try {
  for (const [what, origin] of [
    ['the program alone', alone.url],
    ['X-Accel-Redirect', nginx.url],
  ] as const) {
    const { key, address, cookie } = await createVideo();
    const { values, floorValues } = await alternate(ROUNDS, {
      figure: () => measure(origin + address, { cookie }),
      floor: () => measure(`${nginx.filesUrl}/${key}`),
    });
    reportFigure({
      what: `video by range, ${what}`,
      unit: 'MB for a second of CPU',
      values,
      floor: { what: 'nginx sendfile', values: floorValues },
      budget: { atLeast: BUDGET },
    });
  }
} finally {
  await nginx.stop();
  await Promise.all([alone.stop(), behindNginx.stop()]);
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(url: string, headers: Record<string, string> = {}): Promise<number> {
  const load = { headers: { ...headers, range: 'bytes=0-' }, times: TIMES, status: 206, bytes: VIDEO_BYTES };
  return (MEGABYTES * 1000) / (await measureTreeCpu(process.pid, () => fetchAgain(url, load)));
}

/** A video of an account that has paid, and the cookie of its owner. */
function createVideo(): Promise<{ key: string; address: string; cookie: string }> {
  return fillDatabase({ dataDir, databaseUrl: postgres.url }, async ({ db }) => {
    const { id: accountId } = await createAccount({ db }, { isPaid: true });
    const generationId = await createGeneration({ db }, accountId, 'video');
    const key = `results/${accountId}/${generationId}/0/original.mp4`;
    await storage.put(key, randomBytes(VIDEO_BYTES), 'video/mp4');
    await db.result.create({
      data: {
        accountId,
        generationId,
        position: 0,

        photoName: 'Фото',
        number: 1,
        kind: 'video',
        width: 1080,
        height: 1440,
        durationSeconds: 10,
        originalKey: key,
        posterKey: 'none',
        thumbnailKey: 'none',
        contentType: 'video/mp4',
        bytes: VIDEO_BYTES,
        posterBytes: 1,
        thumbnailBytes: 1,
        startedAt: new Date(),
        made: 'video',
      },
    });
    const cookie = `podium_session=${await createToken({ db }, accountId)}`;
    return { key, address: `/api/video-proxy/${generationId}`, cookie };
  });
}
