import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { MOTION_NAMES } from '#shared/rules/motion-presets.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createPayment } from '#tests/support/factories.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';

const harness = useBotHarness();

/** Gets the original, so that no copy with the logo is made. */
async function newPayer(): Promise<TelegramUser> {
  const user = await harness.newMember();
  await createPayment(harness.testApp.app.db, (await harness.accountOf(user)).id);
  return user;
}

async function generationsOf(user: TelegramUser) {
  const { id } = await harness.accountOf(user);
  return harness.testApp.app.db.generation.findMany({ where: { accountId: id }, orderBy: { createdAt: 'asc' } });
}

describe('from a photo to a video', () => {
  it('a newcomer accepts the terms, sends a photo, and a watermarked video comes back', async () => {
    const anna = harness.newUser();
    await anna.join();
    expect(anna.transcript()).toContain('Вам подарок: 2 звезды');
    anna.sendPhoto(harness.photo);
    await anna.waitFor(/Фото принято: 600×800/);
    const menu = await anna.choose(/Видео/, /Видео: поворот, 5 с, формат 3:4/);
    expect(menu.text).toContain('Цена 1 звезда. На балансе 2 звезды, останется 1 звезда');
    expect(menu.text).toContain('10 с — для Wildberries и Ozon (от 8 секунд).');
    await anna.choose('10 с', /10 с, формат 3:4.\s+Цена 2 звезды/);
    await anna.choose('5 с', /Видео: поворот, 5 с/);
    harness.letEngineFinish();
    const video = await anna.choose(/Создать за/, /Видео готово/, { kind: 'video' });
    expect(video.isProtected).toBe(true);
    expect(video.buttons.map(({ text }) => text)).toEqual(['Ещё раз', 'Другое движение', 'Пожаловаться']);
    const { app } = harness.testApp;
    const account = await harness.accountOf(anna);
    expect(account.starBalance).toBe(1);
    const result = await app.db.result.findFirstOrThrow({ where: { accountId: account.id } });
    const bytes = harness.bytesOf(video.fileId);
    expect(bytes.equals(await harness.stored(result.watermarkedKey))).toBe(true);
    expect(bytes.equals(await harness.stored(result.originalKey))).toBe(false);
    const file = path.join(app.config.dataDir, 'sent.mp4');
    await writeFile(file, bytes);
    expect(await app.videoEncoder.probe(file)).toMatchObject({ codec: 'h264', isFaststart: true });
    await anna.waitFor(/Видео: готово за/);
  });
});

describe('who has paid', () => {
  it('gets the original, as a file too, and the same upload again when it is sent once more', async () => {
    const boris = await newPayer();
    await harness.openVideoMenu(boris);
    harness.letEngineFinish();
    const video = await boris.choose(/Создать за/, /Коммерческое использование разрешено/, { kind: 'video' });
    const file = await boris.waitFor(/Оригинал файлом/, { kind: 'document' });
    const [generation] = await generationsOf(boris);
    const result = await harness.testApp.app.db.result.findFirstOrThrow({
      where: { generationId: generation?.id ?? '' },
    });
    const original = await harness.stored(result.originalKey);
    expect(video.isProtected).toBe(false);
    expect(harness.bytesOf(video.fileId).equals(original)).toBe(true);
    expect(harness.bytesOf(file.fileId).equals(original)).toBe(true);
    expect(harness.nameOf(file.fileId)).toMatch(/^photo_Видео_\d\.mp4$/);
    await boris.ask('/gallery', /Ваши результаты/);
    const again = await boris.choose(/Видео, /, /Видео готово/, { kind: 'video', after: file.messageId });
    expect(again.fileId).toBe(video.fileId);
  });

  it('and whose money went back gets the copy with the logo from then on', async () => {
    const clara = await newPayer();
    const { id: accountId } = await harness.accountOf(clara);
    const { db } = harness.testApp.app;
    await harness.openVideoMenu(clara);
    harness.letEngineFinish();
    const original = await clara.choose(/Создать за/, /Видео готово/, { kind: 'video' });
    await clara.waitFor(/Оригинал файлом/, { kind: 'document' });
    await db.payment.updateMany({ where: { accountId }, data: { refundedMinor: 49_000 } });
    await clara.ask('/gallery', /Ваши результаты/);
    const copy = await clara.choose(/Видео, /, /Копия с логотипом/, { kind: 'video' });
    expect(copy.isProtected).toBe(true);
    expect(harness.bytesOf(copy.fileId).equals(harness.bytesOf(original.fileId))).toBe(false);
  });
});

describe('stars', () => {
  it('are spent once by two quick taps on «Создать», and by the same update delivered ten times', async () => {
    const dina = await harness.newMember();
    await harness.openVideoMenu(dina);
    const updateId = dina.press(/Создать за/);
    dina.press(/Создать за/);
    for (let time = 0; time < 10; time++) harness.telegram.repeat(updateId);
    await dina.waitFor(/Прошло/);
    await harness.settle(dina);
    expect(await generationsOf(dina)).toHaveLength(1);
    expect((await harness.accountOf(dina)).starBalance).toBe(1);
    await dina.choose('Отменить', /Отменено. Звёзды вернулись/);
    expect((await harness.accountOf(dina)).starBalance).toBe(2);
  });

  it('come back after a failure, and «Ещё раз» offers the same again', async () => {
    const emma = await newPayer();
    await harness.openVideoMenu(emma);
    // The site uses the same name.
    await emma.choose(MOTION_NAMES.pose, /Видео: поза/);
    await emma.choose('Танец', /Видео: танец/);
    harness.letEngineFail('engine_error');
    const failed = await emma.choose(/Создать за/, /Не получилось: произошла ошибка.* Звёзды вернулись/);
    expect((await harness.accountOf(emma)).starBalance).toBe(2);
    await emma.choose('Ещё раз', /Видео: танец, 5 с/, { after: failed.messageId });
    harness.letEngineFinish();
    await emma.choose(/Создать за/, /Видео готово/, { kind: 'video' });
  });

  it('come back after a photo that will not do, which is not offered again', async () => {
    const greta = await harness.newMember();
    await harness.openVideoMenu(greta);
    harness.letEngineFail('photo_unsuitable');
    const failed = await greta.choose('Создать за 1 звезду', /Не получилось: это фото не подошло.* Звёзды вернулись/);
    expect(failed.buttons).toEqual([]);
    expect((await harness.accountOf(greta)).starBalance).toBe(2);
  });

  it('that do not suffice lead to the site, and nothing starts', async () => {
    const fanny = await harness.newMember();
    await harness.openVideoMenu(fanny);
    const { app } = harness.testApp;
    const { id: accountId } = await harness.accountOf(fanny);
    await app.db.account.update({ where: { id: accountId }, data: { starBalance: 0 } });
    await fanny.choose(/Создать за/, /Не хватает звёзд: нужна 1 звезда, на балансе 0 звёзд/);
    await fanny.waitFor(/Купить звезды можно на сайте: http/);
    expect(await generationsOf(fanny)).toHaveLength(0);
  });
});

describe('«Другое движение»', () => {
  it('keeps the length and the format of what it came from', async () => {
    const lena = await newPayer();
    await harness.openVideoMenu(lena);
    await lena.choose('10 с', /Видео: поворот, 10 с, формат 3:4/);
    const menu = await lena.choose(/Формат/, /Видео: поворот, 10 с, формат (?!3:4)/);
    harness.letEngineFinish();
    await lena.choose('Создать за 2 звезды', /Видео готово/, { kind: 'video' });
    const again = await lena.choose('Другое движение', /Видео: поворот, 10 с/, { after: menu.messageId });
    expect(again.text.split('\n')[0]).toBe(menu.text.split('\n')[0]);
  });
});

describe('while it is made', () => {
  it('the end of it is the saving, not a percentage that stands still', async () => {
    const mira = await newPayer();
    await harness.openVideoMenu(mira);
    harness.testApp.engine.behave({ say: 'running', share: 0.5 });
    await mira.choose(/Создать за/, /Создаём…[\s\S]*50 %/);
    const [generation] = await generationsOf(mira);
    // Otherwise the engine's next report would lower it.
    harness.testApp.engine.behave({ say: 'unreachable' });
    await harness.testApp.app.db.generation.update({
      where: { id: generation?.id ?? '' },
      data: { progressShare: 0.99 },
    });
    const { text } = await mira.waitFor(/Видео\. Сохраняем и готовим к отправке…/);
    expect(text).not.toContain('%');
    harness.letEngineFinish();
    await mira.waitFor(/Видео готово/, { kind: 'video' });
  });

  it('one message tells how far it is, and a second video has to wait', async () => {
    const gala = await newPayer();
    await harness.openVideoMenu(gala);
    harness.testApp.engine.behave({ say: 'running', share: 0.5 });
    const status = await gala.choose(/Создать за/, /Видео. Создаём…\s+▓▓▓▓▓░░░░░ 50 %\s+Прошло \d+ с/);
    expect(status.history.length).toBeGreaterThan(2);
    await harness.waitUntil(async () =>
      expect(harness.telegram.calls).toContainEqual(
        expect.objectContaining({
          method: 'sendChatAction',
          payload: expect.objectContaining({ chat_id: gala.id, action: 'upload_video' }),
        }),
      ),
    );
    await harness.openVideoMenu(gala);
    gala.press(/Создать за/);
    await gala.waitForNotice(/уже идёт/);
    harness.letEngineFinish();
    await gala.waitFor(/Видео готово/, { kind: 'video' });
    expect((await gala.waitFor(/готово за/)).messageId).toBe(status.messageId);
  });

  it('how far it was does not take the place of its end, however late Telegram takes it', async () => {
    const fiona = await harness.newMember();
    await harness.openVideoMenu(fiona);
    harness.letEngineFail('engine_error');
    const description = 'Too Many Requests: retry after 6';
    harness.telegram.upset('editMessageText', { kind: 'refuse', status: 429, description, retryAfter: 6 });
    const { messageId } = await fiona.choose(/Создать за/, /Не получилось/);
    await harness.settle(fiona);
    expect(fiona.messages().find((message) => message.messageId === messageId)?.text).toMatch(/Не получилось/);
    expect(fiona.transcript()).not.toContain('<Отменить>');
  });

  it('a message that does not get through keeps no other back', async () => {
    const [hanna, ida] = [await newPayer(), await newPayer()];
    await harness.openVideoMenu(ida);
    await harness.startVideo(hanna);
    await harness.settle(hanna);
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    const edits = harness.telegram.calls.length;
    harness.telegram.upset('editMessageText', { kind: 'hold', until, chatId: hanna.id });
    const isHeld = () =>
      harness.telegram.calls
        .slice(edits)
        .some(({ method, payload }) => method === 'editMessageText' && Number(payload.chat_id) === hanna.id);
    await vi.waitFor(() => expect(isHeld()).toBe(true), 60_000);
    await ida.choose(/Создать за/, /Прошло/);
    harness.letEngineFinish();
    await ida.waitFor(/готово за/);
    expect(hanna.transcript()).not.toContain('готово за');
    letGo();
    await hanna.waitFor(/готово за/);
  });
});

describe('when Telegram is in trouble', () => {
  it('a 429 is obeyed and nothing is sent twice', async () => {
    const hanna = await harness.newMember();
    harness.telegram.upset('sendMessage', {
      kind: 'refuse',
      status: 429,
      description: 'Too Many Requests: retry after 2',
      retryAfter: 2,
    });
    const startedAt = Date.now();
    await hanna.ask('/balance', /На балансе 2 звезды/);
    expect(Date.now() - startedAt).toBeGreaterThan(1_900);
    await hanna.waitFor(/Купить звезды/);
    expect(hanna.messages().filter(({ text }) => text.startsWith('На балансе'))).toHaveLength(1);
  });

  it.each([['hang_up'], ['garble']] as const)(
    'an answer that is lost (%s) does not make it say the same twice',
    async (kind) => {
      const ida = await harness.newMember();
      harness.telegram.upset('sendMessage', { kind });
      await ida.ask('/balance', /Купить звезды/);
      expect(ida.messages().filter(({ text }) => text.startsWith('На балансе'))).toHaveLength(1);
    },
  );

  it('a download that fails is tried again', async () => {
    const julia = await harness.newMember();
    harness.telegram.upset('download', { kind: 'refuse', status: 502, description: 'Bad Gateway' });
    await harness.sendPhoto(julia);
  });

  it('a person who has blocked the bot is left alone, and gets the result after coming back', async () => {
    const kira = await harness.newMember();
    await harness.startVideo(kira);
    harness.telegram.blockedBy.add(kira.id);
    harness.letEngineFinish();
    const { db } = harness.testApp.app;
    await vi.waitFor(async () => {
      const stored = await db.telegramUser.findUniqueOrThrow({ where: { id: kira.id } });
      expect(stored.unreachableAt).not.toBeNull();
      const [generation] = await generationsOf(kira);
      expect(generation?.status).toBe('completed');
      const order = await db.telegramOrder.findUniqueOrThrow({ where: { generationId: generation?.id ?? '' } });
      expect(order.toldAt).not.toBeNull();
    }, 40_000);
    expect(kira.messages().some(({ kind }) => kind === 'video')).toBe(false);
    harness.telegram.blockedBy.delete(kira.id);
    kira.say('/start');
    await kira.waitFor(/Видео готово/, { kind: 'video' });
    await kira.waitFor(/готово за/);
    await harness.settle(kira);
    await kira.ask('/help', /Как это работает/);
    await harness.settle(kira);
    await harness.finishJobs();
    expect(kira.messages().filter(({ kind }) => kind === 'video')).toHaveLength(1);
  });
});
