import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { startBot } from '#bot/main.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from './fake-telegram.ts';
import { finishJobs } from './finish-jobs.ts';
import { TelegramPerson } from './telegram-person.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** Jobs that send a message or return Telegram Stars, and what they wait for. */
const BOT_JOBS = [
  'make-video-copy',
  'send-notice',
  'send-telegram-result',
  'check-garment',
  'tell-telegram-drift',
  'tell-telegram-linked',
  'tell-telegram-purchase',
  'tell-telegram-report',
  'return-star-charge',
] as const;

/** The setup encodes a video, and many other tests may run at the same time. */
const SETUP_TIMEOUT_MS = 180_000;

/** The server, its background jobs and the bot, with a fake engine and a fake Telegram. */
export function useBotHarness(
  env: Record<string, string> = {},
  { preparePush, garmentChecker }: { preparePush?: () => Promise<PushSender>; garmentChecker?: GarmentChecker } = {},
) {
  let telegram: FakeTelegram;
  let testApp: TestApp;
  let stopBot: () => Promise<void>;
  let photo: Buffer;
  let videoFile: string;
  let pictures: string[];

  beforeAll(async () => {
    telegram = await createFakeTelegram();
    testApp = await createTestApp({
      ...(garmentChecker ? { garmentChecker } : {}),
      ...(preparePush ? { push: await preparePush() } : {}),
      env: { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot, ...env },
    });
    videoFile = path.join(testApp.database.dataDir, 'engine-video.mp4');
    await writeFile(videoFile, (await drawTestVideo()).content);
    photo = await drawProductPhoto('garment', { width: 600, height: 800 });
    pictures = await Promise.all(
      [0, 1, 2, 3, 4].map(async (position) => {
        const file = path.join(testApp.database.dataDir, `engine-picture-${position}.jpg`);
        await writeFile(file, await drawJpeg(300 + position, 400));
        return file;
      }),
    );
    await startJobs(testApp.app);
    stopBot = await startBot(testApp.app);
  }, SETUP_TIMEOUT_MS);
  afterAll(async () => {
    await stopBot();
    await testApp.close();
    await telegram.close();
  });
  beforeEach(() => testApp.engine.behave({ say: 'running' }));

  return {
    get telegram() {
      return telegram;
    },
    get testApp() {
      return testApp;
    },
    get photo() {
      return photo;
    },
    newPerson: () => new TelegramPerson(telegram),
    /** A new person who has accepted the terms. */
    async newMember(): Promise<TelegramPerson> {
      const person = new TelegramPerson(telegram);
      await person.join();
      return person;
    },
    letEngineFinish(): void {
      testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
    },
    /** `running`: the engine is still making the other pictures. */
    letEngineHandInPictures(count: number, say: 'completed' | 'running' = 'completed'): void {
      const outputs = pictures.slice(0, count).map((file) => ({ path: file, contentType: 'image/jpeg' as const }));
      testApp.engine.behave({ say, outputs });
    },
    async accountOf(person: TelegramPerson) {
      const { account } = await testApp.app.db.telegramUser.findUniqueOrThrow({
        where: { id: person.id },
        include: { account: true },
      });
      if (!account) throw new Error('this person has no account');
      return account;
    },
    /** Waits until the bot has handled everything that the person has done. */
    async settle(person: TelegramPerson): Promise<void> {
      await vi.waitFor(async () => {
        expect(telegram.countWaiting()).toBe(0);
        const where = { chatId: person.id, finishedAt: null };
        expect(await testApp.app.db.telegramUpdate.count({ where })).toBe(0);
      }, 90_000);
    },
    /** Waits until the bot's jobs that are due now are done. */
    finishJobs: () => finishJobs(testApp.database.pool, BOT_JOBS),
    waitUntil: <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 90_000, interval: 50 }),
    /** The content of a sent file. */
    bytesOf(fileId: string | null): Buffer {
      const file = telegram.files.get(fileId ?? '');
      if (!file) throw new Error(`no file ${fileId}`);
      return file.content;
    },
    /** The name of a sent file. */
    nameOf: (fileId: string | null) => telegram.files.get(fileId ?? '')?.name,
    /** A stored file's bytes. */
    stored: (key: string | null) => readFile(path.join(testApp.app.config.dataDir, 'files', key ?? '')),
  };
}
