import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { EngineFailure, GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { describeOffer } from '#api/services/generations/engine-health/engine-outages.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { createAccount, createStoredPhoto } from './factories.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { createUnrulyEngine, type PollEvent, type SubmitEvent } from './unruly-engine.ts';

/** What a new account has. */
export const STARS = 10;

interface StartOptions {
  isPaid?: boolean;
  settings?: object;
  /** A new account if absent. */
  by?: number;
}

/** What the engine reports of a job that has failed, or answers to an order when `say` is `refused`. */
export function failing(code: EngineFailure['code']) {
  return { say: 'failed', failure: { code, detail: 'test', shouldRetry: false } } as const;
}

/**
 * Videos of new accounts, at an engine that answers as the test says. Each test begins without outages, runs and
 * ceilings. Registers the hooks itself.
 */
export function useUnrulyVideos() {
  let testApp: TestApp;
  const videos = {
    /** Every order goes to the engine. A test may put another one in its place. */
    app: null as unknown as AppContext,
    engine: null as unknown as GenerationEngine,
    /** What the engine does with an order. It takes it unless set. */
    onSubmit: { say: 'submitted' } as SubmitEvent,
    /** What becomes of a job. It is completed at once unless set. */
    onPoll: { say: 'completed' } as PollEvent,

    async start({ isPaid = true, settings = {}, by }: StartOptions = {}) {
      const accountId = by ?? (await createAccount(videos.app, { stars: STARS, isPaid })).id;
      const { id: photoId } = await createStoredPhoto(videos.app, accountId);
      const begin = () => videos.startVideo(accountId, photoId, settings);
      return { accountId, begin };
    },

    startVideo: (accountId: number, imageId: string, settings: object = {}) =>
      startGeneration(videos.app, {
        account: { id: accountId },
        kind: 'video',
        photos: { subject: { imageId } },
        key: null,
        choice: videoSettings.parse(settings),
      }),

    /** Follows a generation to its end. */
    follow: (generationId: string) => runGeneration(videos.app, generationId, new AbortController().signal),

    /** Starts a video and follows it to its end. */
    async make(options: StartOptions = {}) {
      const { accountId, begin } = await videos.start(options);
      const { generationId } = await begin();
      await videos.follow(generationId);
      const { status, failureCode } = await videos.find(generationId);
      return { accountId, generationId, status, failureCode, balance: await getBalance(videos.app, accountId) };
    },

    find: (id: string) => videos.app.db.generation.findUniqueOrThrow({ where: { id } }),

    async expectRefused(code: string, options: StartOptions = {}) {
      const { accountId, begin } = await videos.start(options);
      await expect(begin()).rejects.toMatchObject({ code });
      expect(await getBalance(videos.app, accountId)).toBe(STARS);
      expect(await videos.app.db.generation.count({ where: { accountId } })).toBe(0);
    },

    /** Why videos cannot be started now. */
    async obstacle() {
      const { tools } = await describeOffer(videos.app, null);
      return tools.find(({ kind }) => kind === 'video')?.obstacle?.code ?? null;
    },

    /** The pause of every open outage is over. */
    async letPausesPass() {
      await videos.app.db.engineOutage.updateMany({ data: { retryAt: new Date(Date.now() - 1) } });
    },

    /** The jobs that are sent from now on, which nobody does. */
    catchJobs(): object[] {
      const sent: object[] = [];
      const { queue } = videos.app;
      videos.app = {
        ...videos.app,
        queue: { ...queue, send: async (_tx, name, payload) => void sent.push({ name, payload }) },
      };
      return sent;
    },

    useEngine(engine: GenerationEngine): void {
      videos.app = { ...videos.app, engines: { all: [engine], of: () => engine, find: () => engine } };
    },
  };

  beforeAll(async () => {
    testApp = await createTestApp();
    const video = path.join(testApp.database.dataDir, 'made.mp4');
    await writeFile(video, (await drawTestVideo()).content);
    videos.engine = createUnrulyEngine({
      files: { video, picture: video },
      canFindJobs: false,
      nextSubmit: () => videos.onSubmit,
      nextPoll: () => videos.onPoll,
      crash: () => new Error('the process died'),
    });
  });
  afterAll(() => testApp.close());
  beforeEach(async () => {
    videos.onSubmit = { say: 'submitted' };
    videos.onPoll = { say: 'completed' };
    const config = { ...testApp.app.config, engineDailyBudgetMicros: null, engineFreeRuns: null };
    videos.app = { ...testApp.app, config };
    videos.useEngine(videos.engine);
    const { db } = testApp.app;
    await db.engineOutage.deleteMany();
    await db.engineRun.deleteMany();
    // Those that an earlier test has given up.
    await db.generation.updateMany({ where: { failureCode: 'timed_out' }, data: { failureCode: 'engine_error' } });
  });
  return videos;
}
