import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { ACTIVE_STATUSES, type GenerationKind, type GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createStoredPhoto } from './factories.ts';
import { encodeForm } from './forms.ts';
import type { TestAppOptions } from './test-app.ts';
import { useTestApp } from './use-test-app.ts';
import { registerVerified, type TestUser, uploadPhoto } from './users.ts';

/** Storing a result encodes or draws its copies, which is slow on a busy machine. */
const FINISH_TIMEOUT_MS = 60_000;

type FormParts = Parameters<typeof encodeForm>[0];
type Sender = Pick<TestUser, 'cookie'>;

export type UserWithPhoto = TestUser & { imageId: string };

/** The server with its background jobs and a fake engine, for one test file. Registers the hooks itself. */
export function useToolHarness(options: Pick<TestAppOptions, 'garmentChecker' | 'env'> = {}) {
  const logLines: string[] = [];
  const testApp = useTestApp({ ...options, onLogLine: (line) => logLines.push(line) });
  const { call } = testApp;
  let videoFile: string;
  let pictures: string[];
  let photo: Buffer;

  beforeAll(async () => {
    await startJobs(testApp.app);
    const { dataDir } = testApp.database;
    videoFile = path.join(dataDir, 'engine-video.mp4');
    await writeFile(videoFile, (await drawTestVideo()).content);
    photo = await drawProductPhoto('garment', { width: 300, height: 400 });
    pictures = await Promise.all(
      [0, 1, 2, 3, 4].map(async (position) => {
        const file = path.join(dataDir, `engine-picture-${position}.jpg`);
        // Small, for speed. Each has a different width.
        await writeFile(file, await drawJpeg(150 + position, 200));
        return file;
      }),
    );
  });
  beforeEach(() => testApp.engine.behave({ say: 'running' }));
  // Otherwise the engine would deliver the next test's results for these generations too.
  afterEach(async () => {
    const active = await testApp.app.db.generation.findMany({ where: { status: { in: [...ACTIVE_STATUSES] } } });
    for (const generation of active) await endGeneration(testApp.app, generation, 'cancelled');
  });

  function outputs(positions: number[]) {
    return positions.map((position) => ({
      path: pictures[position] as string,
      contentType: 'image/jpeg' as const,
      position,
    }));
  }

  async function send(user: Sender, url: string, parts: FormParts, headers = {}): Promise<LightMyRequestResponse> {
    const form = await encodeForm(parts);
    return call(user, { method: 'POST', url, payload: form.body, headers: { ...form.headers, ...headers } });
  }

  async function readyUser(): Promise<UserWithPhoto> {
    const user = await registerVerified(testApp);
    const uploaded = await uploadPhoto(testApp, user, photo);
    expect(uploaded.statusCode).toBe(200);
    return { ...user, imageId: uploaded.json().id };
  }

  /** Starts a video. */
  function start(user: Sender, imageId: string, settings: object = {}, headers = {}) {
    return call(user, { method: 'POST', url: '/api/generate', payload: { imageId, settings }, headers });
  }

  /** The second photo of each account's try-ons. */
  const wearers = new Map<number, Promise<{ id: string }>>();

  /** Starts each tool with photos that are on the server already. */
  const starts: Record<
    GenerationKind,
    (user: UserWithPhoto, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  > = {
    video: (user, headers) => start(user, user.imageId, {}, headers),
    model_change(user, headers) {
      const modelImageUrl = '/attached_assets/woman/w5.webp';
      const parts = Object.entries({ imageId: user.imageId, modelImageUrl });
      return send(user, '/api/change-model', parts, headers);
    },
    photosession: (user, headers) => send(user, '/api/photosession', [['imageId', user.imageId]], headers),
    async try_on(user, headers = {}) {
      const accountId = user.account.id;
      const wearer = wearers.get(accountId) ?? createStoredPhoto(testApp.app, accountId);
      wearers.set(accountId, wearer);
      const payload = { garmentImageId: user.imageId, personImageId: (await wearer).id };
      return call(user, { method: 'POST', url: '/api/try-on', payload, headers });
    },
  };

  async function balanceOf(user: Sender): Promise<number> {
    return (await call(user, { url: '/api/stars/balance' })).json().balance;
  }

  /** What the status call of a video says. */
  async function stateOf(user: Sender, generationId: string) {
    return (await call(user, { url: `/api/status?generationId=${generationId}` })).json();
  }

  async function viewOf(user: Sender, generationId: string) {
    return getGeneration.answer.parse((await call(user, { url: `/api/generations/${generationId}` })).json());
  }

  function waitUntil<T>(check: () => Promise<T> | T): Promise<T> {
    return vi.waitFor(check, FINISH_TIMEOUT_MS);
  }

  function waitForStatus(user: Sender, generationId: string, status: GenerationStatus): Promise<void> {
    return waitUntil(async () => expect((await viewOf(user, generationId)).status).toBe(status));
  }

  /** The order that the engine was given for a generation of this kind. */
  async function orderOf<Kind extends GenerationKind>(kind: Kind, generationId: string) {
    const { jobs } = testApp.engine;
    await waitUntil(() => expect(jobs.has(`fake-${generationId}`)).toBe(true));
    const order = jobs.get(`fake-${generationId}`)?.order;
    if (order?.kind !== kind) throw new Error(`${generationId} is no ${kind}`);
    return order as Extract<typeof order, { kind: Kind }>;
  }

  /** From now on the engine delivers a small video. */
  function letEngineFinish(options: { afterPolls?: number } = {}): void {
    testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }], ...options });
  }

  async function finishVideo(user: UserWithPhoto, settings: object = {}): Promise<string> {
    letEngineFinish();
    const { generationId } = (await start(user, user.imageId, settings)).json();
    await waitForStatus(user, generationId, 'completed');
    return generationId;
  }

  return {
    testApp,
    logLines,
    /** The photo as a part of a form. */
    get photoPart() {
      return { content: photo, name: 'photo.jpg', type: 'image/jpeg' };
    },
    call,
    send,
    readyUser,
    start,
    starts,
    balanceOf,
    stateOf,
    viewOf,
    waitUntil,
    waitForStatus,
    orderOf,
    letEngineFinish,
    finishVideo,
    /** The picture that the engine delivers as this frame. */
    readPicture: (position: number) => readFile(pictures[position] as string),
    /** From now on the engine delivers these frames and reports completion. */
    letEngineHandIn(positions: number[]): void {
      testApp.engine.behave({ say: 'completed', outputs: outputs(positions) });
    },
    /** From now on the engine delivers one picture of the real size, 1200 by 1600. */
    async letEngineHandInFullSize(): Promise<void> {
      const file = path.join(testApp.database.dataDir, 'engine-picture-full-size.jpg');
      await writeFile(file, await drawJpeg(1200, 1600));
      testApp.engine.behave({ say: 'completed', outputs: [{ path: file, contentType: 'image/jpeg' }] });
    },
    /** From now on these frames are ready and the engine still makes the others. */
    letEngineShow(positions: number[]): void {
      testApp.engine.behave({ say: 'running', outputs: outputs(positions) });
    },
    async modelChangeOf(user: Sender, requestId: string) {
      return (await call(user, { url: `/api/change-model/status/${requestId}` })).json();
    },
    async sessionOf(user: Sender, sessionId: string) {
      return (await call(user, { url: `/api/photosession/${sessionId}/status` })).json();
    },
    /** Counts what a person has left in the database and on the disk. */
    async countTraces(user: TestUser) {
      const accountId = user.account.id;
      const { db } = testApp.app;
      const [photos, generations, holds] = await Promise.all([
        db.photo.count({ where: { accountId } }),
        db.generation.count({ where: { accountId } }),
        db.starEntry.count({ where: { accountId, kind: 'hold' } }),
      ]);
      return { photos, generations, holds };
    },
    async expectRefusal(
      answer: Promise<LightMyRequestResponse>,
      status: number,
      code: string,
    ): Promise<Record<string, unknown>> {
      const response = await answer;
      expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
      expect(response.json().message).toMatch(/[а-яё]/i);
      return response.json();
    },
  };
}
