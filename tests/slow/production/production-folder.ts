// `npm run test:slow -- production`: tests a folder as an operator sets it up, with the sources, the output of `npm run build`
// and the packages of `npm ci --omit=dev`. It takes minutes, because npm really installs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { PRODUCTION_WITH_OUTBOX } from '#tests/support/production-env.ts';
import { type RunningServer, startServer, Visitor } from '#tests/support/running-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MAX_MEGABYTES = 500;
const RENDER_TIMEOUT_MS = 900_000;
const DEVELOPMENT_PACKAGES = [
  'prisma',
  '@prisma/client',
  'vite',
  'typescript',
  'assemblyscript',
  'react',
  'playwright',
];

const home = mkdtempSync(path.join(tmpdir(), 'podium-production-'));
const folder = path.join(home, 'podium');

before(() => {
  run('npm', ['run', 'build'], ROOT);
  const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of String(sources).split('\0').filter(Boolean))
    cpSync(path.join(ROOT, file), path.join(folder, file));
  for (const made of ['database-client', 'kernel', 'pwa', readlinkSync(path.join(ROOT, 'dist/pwa'))]) {
    const [from, to] = [ROOT, folder].map((start) => path.join(start, 'dist', made)) as [string, string];
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
  run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], folder);
});
after(() => rmSync(home, { recursive: true, force: true }));

test(`the folder holds no development packages and at most ${MAX_MEGABYTES} MB`, (context) => {
  const installed = new Set(DEVELOPMENT_PACKAGES.filter((name) => isThere(`node_modules/${name}`)));
  assert.deepEqual([...installed], []);
  const megabytes = Math.round(measureBytes(folder) / 1024 / 1024);
  context.diagnostic(
    `${megabytes} MB, of which node_modules ${Math.round(measureBytes(path.join(folder, 'node_modules')) / 1024 / 1024)} MB`,
  );
  assert.ok(megabytes <= MAX_MEGABYTES, `the folder has ${megabytes} MB`);
});

test('on embedded parts a start in production takes a photo in, makes a video of it, and stops', async () => {
  const server = await start('embedded');
  try {
    await makeVideo(server);
  } finally {
    assert.equal(await server.stop(), 0);
  }
  assert.ok(!isThere('node_modules/prisma'), 'the start has installed development packages');
});

test('on PostgreSQL two starts at once in the folder, of the api and of the worker, make a video', async (context) => {
  if (!findPostgresBinaries()) return context.skip('no PostgreSQL here');
  const postgres = await startPrivatePostgres();
  const roles = { DATABASE_URL: postgres.url };
  const servers = await Promise.all([
    start('postgres', { ...roles, ROLES: 'api' }),
    start('postgres', { ...roles, ROLES: 'worker' }),
  ]);
  try {
    await makeVideo(servers[0] as RunningServer);
  } finally {
    assert.deepEqual(await Promise.all(servers.map((server) => server.stop())), [0, 0]);
    await postgres.stop();
  }
});

test('a start without what is built says what is missing, and what to do', () => {
  for (const [missing, name] of [
    ['dist/database-client', 'the database client'],
    ['dist/pwa', 'the interface'],
    ['dist/kernel', 'the render kernel'],
  ] as const) {
    const away = path.join(home, 'away');
    renameSync(path.join(folder, missing), away);
    const builds = missing === 'dist/pwa' ? hideInterfaces() : [];
    const { status, stderr } = spawnSync('npm', ['start'], { cwd: folder, encoding: 'utf8', env: environment('none') });
    for (const restore of builds) restore();
    renameSync(away, path.join(folder, missing));
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`Not built from these sources: ${name}\\.`));
    assert.match(stderr, /npm ci && npm run build && npm ci --omit=dev/);
  }
});

function hideInterfaces(): (() => void)[] {
  return readdirSync(path.join(folder, 'dist'))
    .filter((name) => name.startsWith('pwa-'))
    .map((name) => {
      const [from, to] = [path.join(folder, 'dist', name), path.join(home, name)];
      renameSync(from, to);
      return () => renameSync(to, from);
    });
}

function environment(data: string): NodeJS.ProcessEnv {
  return { ...process.env, ...PRODUCTION_WITH_OUTBOX, DATA_DIR: path.join(home, data) };
}

function start(data: string, env: Record<string, string> = {}): Promise<RunningServer> {
  return startServer({ folder, dataDir: path.join(home, data), env: { ...PRODUCTION_WITH_OUTBOX, ...env } });
}

async function makeVideo(server: RunningServer): Promise<void> {
  const visitor = new Visitor(server);
  await visitor.register('production@example.com');
  const imageId = await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 900, height: 1200 }));
  const { generationId } = await visitor.json<{ generationId: string }>('POST', '/api/generate', {
    imageId,
    settings: {},
  });
  const deadline = Date.now() + RENDER_TIMEOUT_MS;
  for (let status = ''; status !== 'completed'; await wait(500)) {
    ({ status } = await visitor.json<{ status: string }>('GET', `/api/status?generationId=${generationId}`));
    assert.notEqual(status, 'failed', server.output());
    assert.ok(Date.now() < deadline, `no video after ${RENDER_TIMEOUT_MS / 1000} s`);
  }
  let video = await visitor.request('GET', `/api/video-proxy/${generationId}`);
  // The first request has the copy made.
  for (; video.status === 409 && Date.now() < deadline; await wait(500)) {
    video = await visitor.request('GET', `/api/video-proxy/${generationId}`);
  }
  assert.deepEqual([video.status, video.headers.get('content-type')], [200, 'video/mp4']);
  assert.ok((await video.arrayBuffer()).byteLength > 10_000);
  const page = await visitor.request('GET', '/');
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<h1/);
}

function isThere(name: string): boolean {
  return lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined;
}

/** Counts as `du` does: in disk blocks, and a file with several names once. */
function measureBytes(start: string): number {
  const seen = new Set<number>();
  let bytes = 0;
  const visit = (file: string) => {
    const { ino, blocks } = lstatSync(file);
    if (seen.has(ino)) return;
    seen.add(ino);
    bytes += blocks * 512;
    if (lstatSync(file).isDirectory()) for (const name of readdirSync(file)) visit(path.join(file, name));
  };
  visit(start);
  return bytes;
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
