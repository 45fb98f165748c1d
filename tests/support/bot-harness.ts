import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';
import type { EngineFailureCode } from '#api/adapters/generation-engines/generation-engine.ts';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { startBot } from '#bot/main.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from './fake-telegram.ts';
import type { FakeMessage } from './fake-telegram-methods.ts';
import { finishJobs } from './finish-jobs.ts';
import { TelegramUser } from './telegram-user.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { nextAddress, type TestUser } from './users.ts';

/** Jobs that send a message or return Telegram Stars, and what they wait for. */
const BOT_JOBS = [
  'make-video-copy',
  'send-notice',
  'send-telegram-result',
  'tell-telegram-batch',
  'send-telegram-batch',
  'check-garment',
  'tell-telegram-drift',
  'tell-telegram-linked',
  'tell-telegram-purchase',
  'tell-telegram-report',
  'return-star-charge',
] as const;

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
  });
  afterAll(async () => {
    await stopBot();
    await testApp.close();
    await telegram.close();
  });
  beforeEach(() => testApp.engine.behave({ say: 'running' }));

  const harness = {
    get telegram() {
      return telegram;
    },
    get testApp() {
      return testApp;
    },
    get photo() {
      return photo;
    },
    newUser: () => new TelegramUser(telegram),
    /** A new person who has accepted the terms. */
    async newMember(): Promise<TelegramUser> {
      const user = new TelegramUser(telegram);
      await user.join();
      return user;
    },
    /** A new member whose photo the bot has taken. */
    async newMemberWithPhoto(): Promise<TelegramUser> {
      const user = await harness.newMember();
      await harness.sendPhoto(user);
      return user;
    },
    /** Sends a photo and waits for the question what to make of it. */
    sendPhoto(user: TelegramUser, content = photo): Promise<FakeMessage> {
      const after = user.lastMessageId;
      user.sendPhoto(content);
      return user.waitFor(/Фото принято/, { after });
    },
    /** Sends a photo and goes to the screen with «Создать». */
    async openVideoMenu(user: TelegramUser): Promise<FakeMessage> {
      await harness.sendPhoto(user);
      return user.choose(/Видео/, /Видео: поворот, 5 с/);
    },
    /** Has a video made of a photo. Resolves with the message that tells how far it is. */
    async startVideo(user: TelegramUser): Promise<FakeMessage> {
      const { messageId } = await harness.openVideoMenu(user);
      return user.choose(/Создать за/, /Прошло/, { after: messageId - 1 });
    },
    letEngineFinish(): void {
      testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
    },
    letEngineFail(code: EngineFailureCode): void {
      testApp.engine.behave({ say: 'failed', failure: { code, detail: 'out of order', shouldRetry: false } });
    },
    /** `running`: the engine is still making the other pictures. */
    letEngineHandInPictures(count: number, say: 'completed' | 'running' = 'completed'): void {
      const outputs = pictures.slice(0, count).map((file) => ({ path: file, contentType: 'image/jpeg' as const }));
      testApp.engine.behave({ say, outputs });
    },
    /** Sends a request of a person to the site. A visitor has an empty cookie. */
    call(
      { cookie }: Pick<TestUser, 'cookie'>,
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      url: string,
      payload?: object,
    ): Promise<LightMyRequestResponse> {
      const body = payload ? { payload } : {};
      return testApp.server.inject({ method, url, headers: { cookie }, remoteAddress: nextAddress(), ...body });
    },
    /** The token in the address that the bot gives for linking the chat. */
    async tokenFromBot(user: TelegramUser): Promise<string> {
      const { text } = await user.ask('/link', /действует 10 минут/);
      return /telegram=([\w-]{22})/.exec(text)?.[1] ?? '';
    },
    /** Links the chat with the account of the site there, with the address that the bot gives. */
    async link(site: TestUser, user: TelegramUser): Promise<LightMyRequestResponse> {
      const token = await harness.tokenFromBot(user);
      return harness.call(site, 'POST', '/api/telegram/link', { token, password: site.password });
    },
    async accountOf(user: TelegramUser) {
      const { account } = await testApp.app.db.telegramUser.findUniqueOrThrow({
        where: { id: user.id },
        include: { account: true },
      });
      if (!account) throw new Error('this person has no account');
      return account;
    },
    /** Waits until the bot has handled everything that a person, or a group, has done. */
    async settle({ id }: Pick<TelegramUser, 'id'>): Promise<void> {
      await vi.waitFor(async () => {
        expect(telegram.countWaiting()).toBe(0);
        const where = { chatId: id, finishedAt: null };
        expect(await testApp.app.db.telegramUpdate.count({ where })).toBe(0);
      }, 60_000);
    },
    /** Waits until the bot's jobs that are due now are done. */
    finishJobs: () => finishJobs(testApp.database.pool, BOT_JOBS),
    waitUntil: <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 50 }),
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
  return harness;
}
