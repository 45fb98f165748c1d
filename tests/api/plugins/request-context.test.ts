import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAppContext } from '#api/app-context.ts';
import { readConfig } from '#api/config/config.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { findRequest, runInRequest } from '#api/platform/request-context.ts';
import { createRequestIds } from '#api/plugins/request-context.ts';
import { createServer } from '#api/server.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { borrowTestDatabase } from '#tests/support/database.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { registerVerified } from '#tests/support/users.ts';

const OWN_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const PROXY = '10.0.0.7';

let fake: FakeFal;
let app: Awaited<ReturnType<typeof createAppContext>>;
let server: Awaited<ReturnType<typeof createServer>>;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  fake = await createFakeFal();
  const database = await borrowTestDatabase();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GARMENT_CHECK: 'off',
    ENGINE: 'fal',
    TRUSTED_PROXIES: `${PROXY},fd00::/8`,
    ...fake.settings,
  });
  const log = createLogger(config, { write: (line) => void lines.push(JSON.parse(line)) });
  const passwordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  app = await createAppContext(config, log, { database, passwordCost });
  server = await createServer(app);
  await server.ready();
  await startJobs(app);
});
afterAll(async () => {
  await server.close();
  await app.close();
  await fake.close();
});

/** The id in the answer to a request from this address that brings this id. */
async function askWith(requestId: string, remoteAddress: string): Promise<unknown> {
  const headers = { 'x-request-id': requestId };
  return (await server.inject({ url: '/healthz', headers, remoteAddress })).headers['x-request-id'];
}

test('every answer names the id of its request', async () => {
  const [first, second] = [await server.inject('/healthz'), await server.inject('/api/no-such-address')];
  expect(first.headers['x-request-id']).toMatch(OWN_ID);
  expect(second.headers['x-request-id']).toMatch(OWN_ID);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

test('the id of a trusted proxy is taken over, and nobody else chooses one', async () => {
  expect(await askWith('from-the-proxy-1', PROXY)).toBe('from-the-proxy-1');
  expect(await askWith('from-the-proxy-2', 'fd00::7')).toBe('from-the-proxy-2');
  expect(await askWith('from-a-visitor', '203.0.113.9')).toMatch(OWN_ID);
});

test.each(['short', 'with blanks in it', 'a'.repeat(129), '{"level":"error"}'])(
  'an id that no proxy makes is replaced: %s',
  (given) => {
    const makeId = createRequestIds([PROXY]);
    const request = { headers: { 'x-request-id': given }, socket: { remoteAddress: PROXY } };
    expect(makeId(request as unknown as Parameters<typeof makeId>[0])).toMatch(OWN_ID);
  },
);

test('the id goes from the request through the job into the lines of the worker and to the engine', async () => {
  const user = await registerVerified({ app });
  const photo = await drawProductPhoto('person', { width: 480, height: 640 });
  const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
  const headers = { cookie: user.cookie };
  const uploaded = await server.inject({
    method: 'POST',
    url: '/api/upload',
    payload: form.body,
    headers: { ...headers, ...form.headers },
  });
  // Lines of an earlier try of this test are not taken for those of this one.
  const requestId = `req-${crypto.randomUUID()}`;
  const consent = { kind: 'transfer', version: TRANSFER_VERSION };
  await server.inject({ method: 'POST', url: '/api/account/consents', headers, payload: consent });
  const started = await server.inject({
    method: 'POST',
    url: '/api/generate',
    remoteAddress: PROXY,
    payload: { imageId: uploaded.json().id, settings: {} },
    headers: { ...headers, 'x-request-id': requestId },
  });
  expect([started.statusCode, started.headers['x-request-id']]).toEqual([200, requestId]);
  const { generationId } = started.json();
  const findLine = (action: string) => lines.find((line) => line.requestId === requestId && line.action === action);
  await vi.waitFor(() => expect(findLine('generation_completed')).toMatchObject({ generationId }), {
    timeout: 60_000,
    interval: 200,
  });
  expect(fake.jobs.at(-1)?.headers['x-request-id']).toBe(requestId);
  expect(findLine('generation_accepted')).toBeDefined();
  expect(findLine('engine_submitted')).toMatchObject({
    generationId,
    engine: 'fal',
    engineJobId: fake.jobs.at(-1)?.id,
  });
});

test('a job that nobody asked for has an id of its own', async () => {
  const seen: unknown[] = [];
  // The bot's, which does not run here.
  await app.queue.work('tell-telegram-report', { concurrency: 1 }, async () => void seen.push(findRequest()));
  await app.db.$transaction((tx) => app.queue.send(tx, 'tell-telegram-report', { reportId: crypto.randomUUID() }));
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), 20_000);
  expect(seen[0]).toMatchObject({ requestId: expect.stringMatching(OWN_ID) });
});

test('a line says once what it belongs to', () => {
  const written: string[] = [];
  const log = createLogger({ isProduction: false, logLevel: 'info' }, { write: (line) => void written.push(line) });
  runInRequest({ requestId: 'request-1', generationId: 'generation-1' }, () => {
    log.info('plain');
    log.child({ requestId: 'bound' }).info({ generationId: 'named' }, 'named');
  });
  log.info('outside');
  const [plain, named, outside] = written.map((line) => JSON.parse(line));
  expect(plain).toMatchObject({ requestId: 'request-1', generationId: 'generation-1' });
  expect(named).toMatchObject({ requestId: 'bound', generationId: 'named' });
  expect(written[1]?.match(/requestId|generationId/g)).toHaveLength(2);
  expect(outside).not.toHaveProperty('requestId');
});
