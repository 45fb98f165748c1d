import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppContext } from '#api/app-context.ts';
import { readConfig } from '#api/config/config.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { createServer } from '#api/server.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import { TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { borrowTestDatabase } from '#tests/support/database.ts';
import { createPayment } from '#tests/support/factories.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS, modelError } from '#tests/support/fake-fal-rules.ts';
import { encodeFileForm, encodeForm } from '#tests/support/forms.ts';
import { until } from '#tests/support/until.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

/** Results are stored with their copies, which is slow on a busy machine. */
const END_TIMEOUT = { timeout: 60_000, interval: 200 };

let fake: FakeFal;
let app: AppContext;
let server: FastifyInstance;
/** The public address of the server, so that the fake can send notifications. */
let publicDoor: Server;
let photo: Buffer;

beforeAll(async () => {
  fake = await createFakeFal({ pace: { queued: 50, running: 50 } });
  publicDoor = createHttpServer(async (request, response) => {
    const answer = await server.inject({
      method: 'POST',
      url: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      payload: await buffer(request),
    });
    response.writeHead(answer.statusCode).end();
  });
  publicDoor.listen(0, '127.0.0.1');
  await once(publicDoor, 'listening');
  const address = publicDoor.address();
  const port = typeof address === 'object' ? address?.port : null;
  const database = await borrowTestDatabase();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    // It works for seconds on each result and says nothing about the engine.
    GARMENT_CHECK: 'off',
    ENGINE: 'fal',
    ...fake.settings,
  });
  const passwordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  app = await createAppContext(config, createLogger(config), { database, passwordCost });
  server = await createServer(app);
  await server.ready();
  await startJobs(app);
  photo = await drawProductPhoto('person', { width: 480, height: 640 });
});
afterAll(async () => {
  await server.close();
  await app.close();
  publicDoor.close();
  await fake.close();
});
beforeEach(async () => {
  fake.recover();
  await app.db.engineOutage.deleteMany();
});

/** Most have paid, because copies with the logo would double the work. */
async function enter({ isPaid = true } = {}): Promise<TestUser> {
  const user = await registerVerified({ app });
  await send(user, '/api/account/consents', { kind: 'transfer', version: TRANSFER_VERSION });
  if (isPaid) await createPayment(app.db, user.account.id);
  return user;
}

async function send(user: TestUser, url: string, payload?: object | Buffer, headers = {}) {
  const response = await server.inject({
    method: payload ? 'POST' : 'GET',
    url,
    headers: { cookie: user.cookie, ...headers },
    ...(payload ? { payload } : {}),
  });
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${response.body}`);
  return response.json();
}

async function startVideo(user: TestUser): Promise<string> {
  const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
  const { id: imageId } = await send(user, '/api/upload', form.body, form.headers);
  return (await send(user, '/api/generate', { imageId, settings: {} })).generationId;
}

async function startModelChange(user: TestUser): Promise<string> {
  const form = await encodeForm([
    ['modelImageUrl', '/attached_assets/woman/w5.webp'],
    ['backgroundImageUrl', '/backgrounds/concrete.webp'],
    ['userImage', { content: photo, name: 'photo.jpg', type: 'image/jpeg' }],
  ]);
  return (await send(user, '/api/change-model', form.body, form.headers)).request_id;
}

async function startPhotosession(user: TestUser): Promise<string> {
  const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
  return (await send(user, '/api/photosession', form.body, form.headers)).sessionId;
}

/** The generation when it has ended, with its runs in the sequence of their submits. */
function waitForEnd(id: string) {
  return vi.waitFor(async () => {
    const found = await app.db.generation.findUniqueOrThrow({
      where: { id },
      include: { results: { orderBy: { position: 'asc' } }, engineRuns: { orderBy: { createdAt: 'asc' } } },
    });
    expect(['completed', 'failed']).toContain(found.status);
    // The runs are closed just after the generation.
    expect(found.engineRuns.map(({ status }) => status)).not.toContain('submitted');
    return found;
  }, END_TIMEOUT);
}

const balanceOf = async (user: TestUser) => (await send(user, '/api/stars/balance')).balance;

describe('with fal behind every tool', () => {
  test('a video is made by one paid run, announced by a signed notification, and its cost is booked', async () => {
    const before = fake.countTaken();
    const generation = await waitForEnd(await startVideo(await enter()));
    expect(generation).toMatchObject({
      status: 'completed',
      engine: 'fal',
      results: [{ contentType: 'video/mp4', width: 1080, height: 1440 }],
      engineRuns: [{ status: 'succeeded', costMicros: 350_000, currency: 'USD', reason: 'first' }],
    });
    expect(fake.countTaken() - before).toBe(1);
    const [run] = generation.engineRuns;
    expect(run?.notifiedAt).not.toBeNull();
    const job = fake.jobs.find(({ id }) => id === run?.jobId);
    await until(() => expect(job?.deliveries).toEqual([200]));
  });

  test('a forged notification is turned away, and polling finds the end', async () => {
    fake.behave({ webhook: 'forged' });
    const generation = await waitForEnd(await startModelChange(await enter({ isPaid: false })));
    expect(generation).toMatchObject({ status: 'completed', engineRuns: [{ status: 'succeeded', notifiedAt: null }] });
    expect(generation.results[0]?.watermarkedKey).not.toBeNull();
    const job = fake.jobs.find(({ id }) => id === generation.engineRuns[0]?.jobId);
    await until(() => expect(job?.deliveries).toContain(403));
    expect(job?.deliveries.every((status) => status === 403)).toBe(true);
  });

  test('a photo session is five paid runs, and what fal refuses for good leaves the other poses', async () => {
    const before = fake.countTaken();
    fake.behave({ fate: { kind: 'failed', answer: modelError('content_policy_violation') } });
    const generation = await waitForEnd(await startPhotosession(await enter()));
    expect(generation.status).toBe('completed');
    expect(generation.results).toHaveLength(4);
    for (const { width, height } of generation.results) {
      expect(width).toBeGreaterThanOrEqual(900);
      expect(height).toBeGreaterThanOrEqual(1200);
    }
    expect(fake.countTaken() - before).toBe(5);
    expect(generation.engineRuns.map(({ status }) => status).toSorted()).toEqual([
      'failed',
      ...Array<string>(4).fill('succeeded'),
    ]);
  });

  test('an answer that is lost costs one more paid run and no more, and both are in the books', async () => {
    const before = fake.countTaken();
    // The job that was taken runs, too. Its notification is signed, and names a job that we do not know.
    fake.behave({ call: ['submit', 'take_and_cut'] });
    const generation = await waitForEnd(await startModelChange(await enter()));
    expect(generation).toMatchObject({
      status: 'completed',
      engineRuns: [
        { status: 'uncertain', reason: 'first', costMicros: 30_000 },
        { status: 'succeeded', reason: 'submit_interrupted', costMicros: 30_000 },
      ],
    });
    expect(fake.countTaken() - before).toBe(2);
  });

  test('a photo that the rules of fal forbid ends as refused, the stars are back, and the tool stays open', async () => {
    fake.behave({ fate: { kind: 'failed', answer: modelError('content_policy_violation') } });
    const user = await enter();
    const generation = await waitForEnd(await startModelChange(user));
    expect(generation).toMatchObject({ status: 'failed', failureCode: 'content_refused' });
    expect(GENERATION_FAILURES.content_refused).toMatch(/Фото несовершеннолетних.*не принимаются.*Звёзды возвращены/);
    expect(await balanceOf(user)).toBe(2);
    expect(await app.db.engineOutage.count()).toBe(0);
  });

  test('an empty balance ends the generation as maintenance, and the stars are back', async () => {
    const before = fake.countTaken();
    fake.behave({ call: ['submit', FAL_ANSWERS.unfunded] });
    const user = await enter();
    const generation = await waitForEnd(await startModelChange(user));
    expect(generation).toMatchObject({ status: 'failed', failureCode: 'engine_maintenance' });
    expect(await balanceOf(user)).toBe(2);
    expect(fake.countTaken()).toBe(before);
  });
});
