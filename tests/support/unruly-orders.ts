import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { AppContext } from '#api/services/app-context.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createAccount, createStoredPhoto } from './factories.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { createUnrulyEngine, type PollEvent, withEngine } from './unruly-engine.ts';

interface OrderOptions {
  /** A video by default. */
  kind?: 'video' | 'try_on';
  canFindJobs?: boolean;
  /** A job is completed at once by default. */
  nextPoll?: () => PollEvent;
}

/** Follows a generation until it has ended. */
export function follow(app: AppContext, generationId: string): Promise<void> {
  return runGeneration(app, generationId, new AbortController().signal);
}

export function listRuns({ db }: AppContext, generationId: string) {
  return db.engineRun.findMany({
    where: { generationId },
    orderBy: { createdAt: 'asc' },
    select: { status: true, reason: true, costMicros: true },
  });
}

/** An application for one test file, and orders of an engine that is paid by the job. Registers the hooks itself. */
export function useUnrulyOrders() {
  let testApp: TestApp;
  let video: string;
  let picture: string;

  beforeAll(async () => {
    testApp = await createTestApp();
    video = path.join(testApp.database.dataDir, 'made.mp4');
    picture = path.join(testApp.database.dataDir, 'made.jpg');
    await writeFile(video, (await drawTestVideo()).content);
    await writeFile(picture, await drawJpeg(300, 400));
  });
  afterAll(() => testApp.close());
  beforeEach(async () => {
    await testApp.app.db.engineRun.deleteMany();
    await testApp.app.db.engineOutage.deleteMany();
  });

  return {
    get testApp() {
      return testApp;
    },
    /** An engine that takes everything, and a generation that waits for it. */
    async order({ kind = 'video', canFindJobs = false, nextPoll = () => ({ say: 'completed' }) }: OrderOptions = {}) {
      const engine = createUnrulyEngine({
        files: { video, picture },
        canFindJobs,
        nextPoll,
        nextSubmit: () => ({ say: 'submitted' }),
        crash: () => new Error('the process died'),
      });
      const app = withEngine(testApp.app, engine);
      const { id: accountId } = await createAccount(app, { isPaid: true });
      const photo = await createStoredPhoto(app, accountId);
      const { generationId } =
        kind === 'video'
          ? await startGeneration(app, {
              account: { id: accountId },
              kind,
              choice: videoSettings.parse({}),
              key: null,
              photos: { subject: { imageId: photo.id } },
            })
          : await startGeneration(app, {
              account: { id: accountId },
              kind: 'try_on',
              choice: tryOnSettings.parse({}),
              key: null,
              photos: {
                subject: { imageId: photo.id },
                person: { imageId: (await createStoredPhoto(app, accountId)).id },
              },
            });
      return { app, engine, accountId, photo, generationId };
    },
  };
}
