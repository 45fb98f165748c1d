import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import { createAppContext } from '#api/app-context.ts';
import { readConfig } from '#api/config/config.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { PHOTOSESSION_FRAMES, PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { type ComfyuiFixture, createComfyuiFixture } from '#tests/support/comfyui-fixture.ts';
import { borrowTestDatabase } from '#tests/support/database.ts';
import { createAccount, keepPhoto } from '#tests/support/factories.ts';
import { until } from '#tests/support/until.ts';

const STARS = 10;
/** Storing five pictures is slow on a busy machine. */
const FINISH_TIMEOUT_MS = 60_000;
let fixture: ComfyuiFixture;
let app: AppContext | null = null;

beforeEach(async () => {
  fixture = await createComfyuiFixture({ count: 2 });
});

afterEach(async () => {
  await app?.close();
  app = null;
  await fixture.close();
});

/** The product with these settings. `engine`: one with short pauses instead of the configured one. */
async function startApp(env: Record<string, string>, engine?: GenerationEngine): Promise<AppContext> {
  const database = await borrowTestDatabase();
  // The garment check works for seconds on each result and says nothing about the engine.
  const basics = { NODE_ENV: 'test', DATA_DIR: database.dataDir, LOG_LEVEL: 'silent', GARMENT_CHECK: 'off' };
  const config = readConfig({
    ...basics,
    ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
    ...env,
  });
  app = await createAppContext(config, createLogger(config), { database, ...(engine ? { engine } : {}) });
  return app;
}

/** Starts a photo session for a new account. */
async function startSession(context: AppContext) {
  const account = await createAccount(context, { stars: STARS, isPaid: true });
  const photo = await keepPhoto(context, account.id, await drawProductPhoto('person', { width: 600, height: 800 }));
  const { generationId } = await startGeneration(context, {
    account,
    kind: 'photosession',
    photos: { subject: { imageId: photo.id } },
    choice: {},
    key: null,
  });
  const balance = async () => (await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).starBalance;
  return { generationId, balance };
}

test('the settings choose ComfyUI for one tool, and the others stay with the local engine', async () => {
  const urls = fixture.servers.map(({ url }) => url).join(',');
  const { engines } = await startApp({ ENGINE_PHOTOSESSION: 'comfyui', COMFYUI_URLS: urls });
  expect([engines.of('photosession')?.name, engines.of('video')?.name]).toEqual(['comfyui', 'local']);
  expect(engines.of('photosession')?.concurrency).toBe(2);
});

test('a template that a server cannot make stops the start with words', async () => {
  fixture.server.behave({ missingModels: ['qwen_image_vae.safetensors'] });
  await expect(startApp({ ENGINE: 'comfyui', COMFYUI_URLS: fixture.server.url })).rejects.toThrow(
    /ComfyUI templates in .*\n(.*\n)*.*photosession\.1\.json: the server has no vae_name «qwen_image_vae\.safetensors»/,
  );
});

test('five poses come from two servers, and those of a server that dies are made on the other for the same stars', async () => {
  const [first, second] = fixture.servers;
  if (!first || !second) throw new Error('there are not two servers');
  const context = await startApp({}, fixture.engine);
  await startJobs(context);
  const { generationId, balance } = await startSession(context);
  await until(() => expect([first.jobs.length, second.jobs.length]).toEqual([1, 1]));
  expect(await balance()).toBe(STARS - PHOTOSESSION_PRICE);

  await first.stop();
  second.behave({ stepMs: 1 });
  second.step(100);
  await vi.waitFor(async () => {
    const generation = await context.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(generation.status).toBe('completed');
  }, FINISH_TIMEOUT_MS);
  expect(await balance()).toBe(STARS - PHOTOSESSION_PRICE);
  expect(second.jobs).toHaveLength(PHOTOSESSION_FRAMES);

  const runs = await context.db.engineRun.findMany({ where: { generationId } });
  const lost = runs.filter(({ failureCode }) => failureCode === 'job_lost');
  expect([runs.length, lost.length]).toEqual([PHOTOSESSION_FRAMES + 1, 1]);
  const results = await context.db.result.findMany({ where: { generationId } });
  expect(results.map(({ position }) => position).toSorted()).toEqual([0, 1, 2, 3, 4]);
  for (const { originalKey } of results) {
    const picture = await sharp(await buffer(await context.storage.open(originalKey))).metadata();
    expect(picture).toMatchObject({ format: 'jpeg', width: 912, height: 1216 });
    expect(picture.exif).toBeUndefined();
  }
});
