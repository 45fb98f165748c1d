/**
 * Megabytes of a video for a second of CPU, whole and in pieces of 64 KB, each a range: from the program alone and from
 * nginx with the program behind it (MEDIA_ACCEL=nginx), beside the same file from nginx with sendfile and nothing behind
 * it. Counts the program, nginx, PostgreSQL, which the program asks each time whose the file is, and on both sides the
 * client, which is this process: over the loopback sendfile copies nothing, and leaves that to whoever receives. Says also
 * what comes of the delivery alone, without sign-in, statements and the other hooks of the program.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { pino } from 'pino';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { openDatabase } from '#api/database/database.ts';
import { sendStoredFile } from '#api/routes/stream-file.ts';
import { startSession } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { measureTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { startServer } from '#tests/support/running-server.ts';
import { hasNginx, startNginx } from '#tests/support/start-nginx.ts';
import { fetchAgain } from './fetch-again.ts';
import { alternate, median, reportFigure, round as roundFigure } from './figures.ts';

const VIDEO_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const ROUNDS = 9;
const DELIVERY_ROUNDS = 5;

if (!hasNginx) throw new Error('nginx is not installed: nothing was measured');
const binaries = findPostgresBinaries();
if (!binaries) throw new Error('PostgreSQL is not installed: nothing was measured');
const postgres = await startPrivatePostgres(binaries);
const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
const storage = createDiskStorage({ folder: path.join(dataDir, 'files') });
const start = async (MEDIA_ACCEL: string) =>
  startServer({
    dataDir,
    port: await findFreePort(),
    roles: ['api'],
    databaseUrl: postgres.url,
    env: { MEDIA_ACCEL, LOG_LEVEL: 'warn' },
  });
const servers = [await start('off'), await start('nginx')] as const;
const nginx = await startNginx(servers[1].url.replace('localhost', '127.0.0.1'), dataDir);
const deliverers = [await startDelivery('off'), await startDelivery('nginx')] as const;
const deliveringNginx = await startNginx(deliverers[1].url, dataDir);
try {
  for (const [what, origin, deliverer, atLeast] of [
    ['the program alone', servers[0].url, deliverers[0].url, 0.6],
    ['X-Accel-Redirect', nginx.url, deliveringNginx.url, 0.85],
  ] as const) {
    for (const [part, bytes, times] of [
      ['whole', VIDEO_BYTES, 25],
      // With all rounds fewer than an account may ask for in a minute.
      ['in pieces of 64 KB', PIECE_BYTES, 100],
    ] as const) {
      const { key, address, cookie } = await createVideo();
      const range = `bytes=${VIDEO_BYTES - bytes}-`;
      const load = { times, status: 206, bytes };
      const megabytes = (times * bytes) / 1024 / 1024;
      /** Of each round, without what this process itself has spent. */
      const withoutClient: Record<'figure' | 'floor', number[]> = { figure: [], floor: [] };
      const measure = async (url: string, headers: Record<string, string>, side?: keyof typeof withoutClient) => {
        const before = process.cpuUsage();
        const milliseconds = await measureTreeCpu(process.pid, () => fetchAgain(url, { ...load, headers }));
        const { user, system } = process.cpuUsage(before);
        if (side) withoutClient[side].push(milliseconds - (user + system) / 1000);
        return (megabytes * 1000) / milliseconds;
      };
      const { values, floorValues } = await alternate(ROUNDS, {
        figure: () => measure(origin + address, { cookie, range }, 'figure'),
        floor: () => measure(`${nginx.filesUrl}/${key}`, { range }, 'floor'),
      });
      reportFigure({
        what: `video by range, ${part}, ${what}`,
        unit: 'MB for a second of CPU',
        values,
        floor: { what: 'nginx sendfile', values: floorValues },
        budget: { atLeast },
      });
      const [own, bare] = [median(withoutClient.figure), median(withoutClient.floor)];
      console.log(`  without the client: ${roundFigure(own)} ms of CPU in a round, nginx ${roundFigure(bare)}`);
      const delivery = await alternate(DELIVERY_ROUNDS, {
        figure: () => measure(`${deliverer}/${key}`, { range }),
        floor: () => measure(`${nginx.filesUrl}/${key}`, { range }),
      });
      const ratios = delivery.values.map((value, round) => value / (delivery.floorValues[round] ?? Number.NaN));
      console.log(`  its delivery alone: ratio ${roundFigure(median(ratios))}`);
    }
  }
} finally {
  await deliveringNginx.stop();
  await Promise.all(deliverers.map(({ server }) => server.close()));
  await nginx.stop();
  await Promise.all(servers.map((server) => server.stop()));
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Sends the files of all keys to everybody, as the program sends a video that its owner may see. */
async function startDelivery(mediaAccel: 'off' | 'nginx') {
  const server = Fastify();
  const app = { storage, config: { mediaAccel } } as AppContext;
  server.get('/healthz', async () => 'ok');
  server.get<{ Params: { '*': string } }>('/*', (request, reply) =>
    sendStoredFile(app, {
      request,
      reply,
      file: { key: request.params['*'] },
      contentType: 'video/mp4',
      cacheControl: 'private, no-cache',
      allowRanges: true,
    }),
  );
  return { server, url: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

/** A video of an account that has paid, and the cookie of its owner. */
async function createVideo(): Promise<{ key: string; address: string; cookie: string }> {
  const database = await openDatabase({ dataDir, databaseUrl: postgres.url }, pino({ level: 'silent' }));
  try {
    const { db } = database;
    const { id: accountId } = await createAccount({ db }, { isPaid: true });
    const generationId = await createGeneration({ db }, accountId, 'video');
    const key = `results/${accountId}/${generationId}/0/original.mp4`;
    await storage.put(key, randomBytes(VIDEO_BYTES), 'video/mp4');
    await db.result.create({
      data: {
        accountId,
        generationId,
        position: 0,
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
    const { token } = await db.$transaction((tx) =>
      startSession(tx, accountId, { userAgent: 'bench', sessionToken: null }),
    );
    return { key, address: `/api/video-proxy/${generationId}`, cookie: `podium_session=${token}` };
  } finally {
    await database.close();
  }
}
