import { describe, expect, it, vi } from 'vitest';
import { eraseDueAccounts } from '#api/services/account-lifecycle/erasure.ts';

import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { PHOTO_QUOTA_BYTES } from '#shared/rules/photo-quota.ts';
import { drawJpeg, drawPhoto } from '#tests/fixtures/photo-files.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';

import type { TelegramUser } from '#tests/support/telegram-user.ts';

const harness = useBotHarness();

/** Expects that nothing was stored, started or charged. */
async function expectNothingDone(user: TelegramUser): Promise<void> {
  const { db } = harness.testApp.app;
  const { id: accountId, starBalance } = await harness.accountOf(user);
  expect(await db.photo.count({ where: { accountId } })).toBe(0);
  expect(await db.generation.count({ where: { accountId } })).toBe(0);
  expect(starBalance).toBe(2);
}

describe('before the terms', () => {
  it('a photo is not fetched, and the terms are shown; after them it is taken', async () => {
    const anna = harness.newUser();
    const before = harness.telegram.calls.length;
    anna.sendPhoto(harness.photo);
    const terms = await anna.waitFor(/Ботом можно пользоваться с 18 лет[\s\S]*\/info\/policy-bot/);
    expect(terms.text).not.toContain('за границей');
    expect(terms.buttons.map(({ text }) => text)).toEqual(['Мне есть 18, принимаю']);
    expect(harness.telegram.calls.slice(before).filter(({ method }) => method === 'getFile')).toEqual([]);
    const stored = await harness.testApp.app.db.telegramUser.findUniqueOrThrow({ where: { id: anna.id } });
    expect(stored).toMatchObject({ termsVersion: null, accountId: null });
    await anna.choose('Мне есть 18, принимаю', /Это «Подиум»/);
    const accepted = await harness.testApp.app.db.telegramUser.findUniqueOrThrow({ where: { id: anna.id } });
    expect(accepted.termsVersion).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(Date.now() - (accepted.termsAt?.getTime() ?? 0)).toBeLessThan(60_000);
    await harness.sendPhoto(anna);
  });

  it('are asked again when another version counts', async () => {
    const boris = await harness.newMember();
    const { db } = harness.testApp.app;
    await db.telegramUser.update({ where: { id: boris.id }, data: { termsVersion: '2020-01-01' } });
    const { text } = await boris.ask('/balance', /примите условия бота/);
    expect(text).toMatch(/^Условия бота изменились\..*в новой редакции/);
    await boris.ask('/delete', /Удалить аккаунт\?/);
    await boris.choose('Не сейчас', /аккаунт остаётся/);
    expect((await harness.accountOf(boris)).deletionAskedAt).toBeNull();
    await boris.choose('Мне есть 18, принимаю', /На балансе 2 звезды/);
    expect((await harness.accountOf(boris)).starBalance).toBe(2);
  });

  it('say nothing of a transfer abroad, which is asked for before the first start that needs it', async () => {
    const { app, engine } = harness.testApp;
    const vera = await harness.newMember();
    Object.assign(engine, { photosTravel: 'abroad' });
    try {
      await harness.sendPhoto(vera);
      await vera.choose('🎬 Видео', /^Видео: /);
      const { text } = await vera.choose(/Создать за/, /отдельное согласие на передачу фото за границу/);
      expect(text).toContain('/photo-transfer-consent');
      expect(await app.db.generation.count({ where: { accountId: (await harness.accountOf(vera)).id } })).toBe(0);
      await vera.choose('Согласиться на передачу', /согласие на передачу фото за границу записано/);
      expect((await harness.accountOf(vera)).transferConsentVersion).toBe(TRANSFER_VERSION);

      await vera.ask('/settings', /./);
      await vera.choose('Отозвать согласие на передачу фото за границу', /за границу отозвано/);
      expect((await harness.accountOf(vera)).transferConsentVersion).toBeNull();
    } finally {
      Object.assign(engine, { photosTravel: 'nowhere' });
    }
  });

  it('are asked of a chat whose account lacks the consent, before its photo is stored', async () => {
    const { db } = harness.testApp.app;
    const ivan = await harness.newMember();
    const { id } = await harness.accountOf(ivan);
    await db.account.update({ where: { id }, data: { consentVersion: null, consentAt: null } });
    const after = ivan.lastMessageId;
    ivan.sendPhoto(harness.photo);
    await ivan.waitFor(/примите условия бота/, { after });
    expect(await db.photo.count({ where: { accountId: id } })).toBe(0);
    await ivan.choose('Мне есть 18, принимаю', /Пришлите фото товара/, { after });
    expect((await harness.accountOf(ivan)).consentVersion).toBe(DOCUMENTS_VERSION);
  });
});

describe('a file that will not do is refused in words, and costs nothing', () => {
  it.each<[string, (user: TelegramUser) => unknown, RegExp]>([
    ['of 25 MB', (user) => user.sendFile(Buffer.from('x'), { size: 25 * 1024 * 1024 }), /больше 10 МБ/],
    ['of 20 MB', (user) => user.sendFile(Buffer.alloc(20 * 1024 * 1024, 1)), /больше 10 МБ/],
    [
      'of 25 MB whose size is not told',
      (user) => user.sendFile(Buffer.from('x'), { size: 25 * 1024 * 1024, isSizeHidden: true }),
      /больше 10 МБ/,
    ],
    [
      'of 11 MB whose size is not told',
      (user) => user.sendFile(Buffer.alloc(11 * 1024 * 1024, 1), { isSizeHidden: true }),
      /больше 10 МБ/,
    ],
    ['that is a PDF', (user) => user.sendFile(Buffer.from('%PDF-1.7'), { mime: 'application/pdf' }), /не фото/],
    [
      'that is a PDF and says it is a JPEG',
      (user) => user.sendFile(Buffer.from('%PDF-1.7 and so on')),
      /не фото. Пришлите JPG, PNG или WebP\./,
    ],
    ['that is a GIF', (user) => user.sendFile(Buffer.from('GIF89a'), { mime: 'image/jpeg' }), /GIF и TIFF не подходят/],
    [
      'that is an animation',
      (user) => user.send({ animation: { file_id: 'a' }, document: { file_id: 'a' } }),
      /GIF бот не берёт/,
    ],
    [
      'that is a broken picture',
      (user) => user.sendPhoto(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])),
      /Фото не открылось.*пришлите снова\./,
    ],
    ['that is a video', (user) => user.send({ video: { file_id: 'v' } }), /Видео бот не берёт/],
    ['that is empty', (user) => user.sendFile(Buffer.alloc(0)), /Файл пустой\./],
  ])('one %s', async (_name, act, answer) => {
    const user = await harness.newMember();
    act(user);
    await user.waitFor(answer);
    await expectNothingDone(user);
  });

  it('one of 299 px', async () => {
    const user = await harness.newMember();
    user.sendPhoto(await drawJpeg(299, 400));
    await user.waitFor(/Фото меньше 300×300 px\. Пришлите покрупнее/);
    await expectNothingDone(user);
  });
});

describe('a photo', () => {
  it('that was forwarded is taken', async () => {
    const user = await harness.newMember();
    user.sendPhoto(harness.photo, {
      forward_origin: { type: 'user', date: 1, sender_user: { id: 1, is_bot: false, first_name: 'A' } },
    });
    await user.waitFor(/Фото принято: 600×800.*\s+Telegram сжимает фото/);
  });

  it.each([
    ['application/octet-stream', 'IMG_1.JPG'],
    ['application/octet-stream', 'IMG 1.heic'],
    ['application/octet-stream', 'program.exe'],
    ['image/jpg', 'x.jpg_960x960'],
    ['text/plain', 'photo.txt'],
    ['', 'photo'],
  ])('that a device calls %s, %s, is known by its bytes', async (mime, name) => {
    const user = await harness.newMember();
    user.sendFile(harness.photo, { mime: mime || undefined, name });
    await user.waitFor(/Фото принято: 600×800/);
    user.sendFile(Buffer.from('MZ and so on'), { mime: mime || undefined, name });
    await user.waitFor(/не фото/);
  });

  it('that is a WebP, of which Telegram makes a sticker, is taken', async () => {
    const user = await harness.newMember();
    user.sendWebpFile(await drawPhoto(600, 700).webp().toBuffer());
    await user.waitFor(/Фото принято: 600×700/);
  });

  it('that is stored smaller is described with its original size', async () => {
    const user = await harness.newMember();
    user.sendFile(await drawJpeg(9000, 400));
    await user.waitFor(/Фото принято: 9000×400/);
  });

  it('sent as a file needs no advice; a small one is warned about', async () => {
    const user = await harness.newMember();
    user.sendFile(await drawJpeg(320, 420));
    const answer = await user.waitFor(/Фото принято: 320×420/);
    expect(answer.text).toContain('лучше от 512 px');
    expect(answer.text).not.toContain('сжимает');
  });
});

describe('a message that is no photo has its answer', () => {
  it.each<[string, (user: TelegramUser) => unknown, RegExp]>([
    ['a sticker', (user) => user.send({ sticker: { file_id: 's', set_name: 'Cats' } }), /Стикер/],
    ['a moving sticker', (user) => user.send({ sticker: { file_id: 's', is_video: true } }), /Стикер/],
    ['a voice message', (user) => user.send({ voice: { file_id: 'v' } }), /Голосовые/],
    ['a text', (user) => user.say('привет'), /понимает фото и команды/],
    ['a place', (user) => user.send({ location: { latitude: 1, longitude: 2 } }), /работать не умеет/],
    ['an edited message', (user) => user.edit('а теперь'), /Исправленные сообщения/],
    ['a round video', (user) => user.send({ video_note: { file_id: 'v' } }), /Видео бот не берёт/],
    ['music', (user) => user.send({ audio: { file_id: 'a' } }), /Аудио бот не слушает/],
    ['an unknown command', (user) => user.say('/nonsense'), /Такой команды нет[\s\S]*\/gallery — /],
    ['a command in capitals', (user) => user.say('/BALANCE'), /На балансе 2 звезды/],
  ])('%s', async (_name, act, answer) => {
    const user = await harness.newMember();
    act(user);
    await user.waitFor(answer);
  });

  it('a place that corrects itself every few seconds, once', async () => {
    const user = await harness.newMember();
    const edited_message = { message_id: 77, date: 1, edit_date: 2, chat: user.chat, from: user.from };
    for (let time = 0; time < 5; time++) {
      harness.telegram.push({ edited_message: { ...edited_message, location: { latitude: time, longitude: 2 } } });
    }
    await user.waitFor(/Исправленные сообщения/);
    await harness.settle(user);
    expect(user.messages().filter(({ text }) => text.startsWith('Исправленные'))).toHaveLength(1);
  });

  it('a group is refused once, politely, and left alone', async () => {
    const { telegram } = harness;
    const chat = { id: -100500, type: 'supergroup', title: 'Склад' };
    const from = { id: 77, is_bot: false, first_name: 'Лев' };
    const command = () =>
      telegram.push({
        message: {
          message_id: 1,
          date: 1,
          chat,
          from,
          text: '/start',
          entities: [{ type: 'bot_command', offset: 0, length: 6 }],
        },
      });
    command();
    const said = () => telegram.messages.filter(({ chatId }) => chatId === chat.id).map(({ text }) => text);
    await vi.waitFor(() => expect(said()).toEqual([expect.stringContaining('только в личной переписке')]), 60_000);
    command();
    telegram.push({ message: { message_id: 2, date: 1, chat, from, photo: [{ file_id: 'x', width: 1, height: 1 }] } });
    await harness.settle(chat);
    expect(said()).toHaveLength(1);
    expect(await harness.testApp.app.db.telegramUser.count({ where: { id: 77 } })).toBe(0);
  });

  it('a group that only mentions the bot too', async () => {
    const chat = { id: -100501, type: 'supergroup', title: 'Склад' };
    const from = { id: 78, is_bot: false, first_name: 'Лев' };
    harness.telegram.push({ message: { message_id: 1, date: 1, chat, from, text: 'а @Podium_Fake_Bot что умеет?' } });
    const said = () => harness.telegram.messages.filter(({ chatId }) => chatId === chat.id).map(({ text }) => text);
    await vi.waitFor(() => expect(said()).toEqual([expect.stringContaining('только в личной переписке')]), 60_000);
  });

  it('a flood is answered once and then not at all', async () => {
    const user = await harness.newMember();
    const before = user.messages().length;
    for (let index = 0; index < 40; index++) user.pressData({ messageId: 1 }, 'of:a:version:long:ago');
    for (let index = 0; index < 20; index++) user.say('привет');
    await user.waitFor(/Слишком много сообщений. Подождите 30 секунд/);
    await harness.settle(user);
    const after = user
      .messages()
      .slice(before)
      .map(({ text }) => text);
    expect(after.every((text) => text.startsWith('Слишком'))).toBe(true);
    expect(after.length).toBeLessThan(3);
    expect(user.notices().filter((text) => text.startsWith('Слишком')).length).toBeGreaterThan(10);
  });

  it('/help, /terms, /paysupport and a button of long ago', async () => {
    const user = await harness.newMember();
    await user.ask('/help', /\/paysupport — Вопросы по оплате/);
    await user.ask('/terms', /Вы приняли условия \d+ [а-я]+ \d{4}\. Полный текст/);
    await user.ask('/paysupport', /Telegram за покупки в боте не отвечает/);
    user.pressData({ messageId: 1 }, 'of:a:version:long:ago');
    await user.waitForNotice(/Эта кнопка больше не действует/);
    user.pressData({ messageId: 1 }, 'terms:2000-01-01');
    await harness.waitUntil(async () =>
      expect(user.notices().filter((text) => /не действует/.test(text))).toHaveLength(2),
    );
    user.pressData({ messageId: 1 }, 'result:AAAAAAAAAAAAAAAAAAAAAA');
    await user.waitForNotice(/больше нет/);
  });
});

describe('/photos', () => {
  it('lists the largest photos and deletes one after a question; a full account is told where', async () => {
    const user = await harness.newMemberWithPhoto();
    const { db } = harness.testApp.app;
    const { id: accountId } = await harness.accountOf(user);
    await db.photo.updateMany({ where: { accountId }, data: { storedBytes: PHOTO_QUOTA_BYTES.free } });
    const after = user.lastMessageId;
    user.sendPhoto(harness.photo);
    await user.waitFor(/Место для фото закончилось[\s\S]*\/photos/, { after });
    await user.ask('/photos', /Фото: 1\. Занято 300 МБ из 300 МБ/);
    await user.choose('Удалить 1', /Удалить фото «.+»\?/);
    expect(await db.photo.count({ where: { accountId } })).toBe(1);
    await user.choose('Удалить навсегда', /Фото: 0\. Занято 0 МБ/);
    expect(await db.photo.count({ where: { accountId } })).toBe(0);
  });
});

describe('/delete', () => {
  it('asks, waits for the days of grace, starts nothing meanwhile, and can be taken back', async () => {
    const user = await harness.newMemberWithPhoto();
    await user.ask('/delete', /Через 30 дней будут стёрты/);
    await user.choose('Удалить аккаунт', /Аккаунт будет удалён \d+ [а-я]+ \d{4}\. До этого дня/);
    expect((await harness.accountOf(user)).deletionAskedAt).not.toBeNull();
    await user.choose(/Видео/, /Видео: поворот/);
    user.press(/Создать за/);
    await user.waitForNotice(/ждёт удаления/);
    for (const act of [
      () => user.say('/start'),
      () => user.say('/settings'),
      () => user.say('/balance'),
      () => user.sendPhoto(harness.photo),
    ]) {
      await harness.settle(user);
      const after = user.lastMessageId;
      act();
      const { buttons } = await user.waitFor(/Аккаунт будет удалён/, { after });
      expect(buttons.map(({ text }) => text)).toContain('Отменить удаление');
      await harness.settle(user);
    }
    // The first one's message has become that of the video.
    expect(user.transcript()).not.toContain('Фото принято');
    await user.choose('Отменить удаление', /Удаление отменено/);
    expect((await harness.accountOf(user)).deletionAskedAt).toBeNull();
  });

  it('of somebody without an account forgets the names of the chat, and what it has written', async () => {
    const user = harness.newUser();
    await user.ask('/start', /Мне есть 18|условия/);
    await user.ask('/delete', /Имя и @имя этого чата удалены/);
    const { db } = harness.testApp.app;
    await harness.waitUntil(async () => {
      expect(await db.telegramUser.count({ where: { id: user.id } })).toBe(0);
      expect(await db.telegramUpdate.count({ where: { chatId: user.id } })).toBe(0);
    });
  });

  it('after the days of grace everything is forgotten but the gift, which is not given again', async () => {
    const user = await harness.newMemberWithPhoto();
    await user.ask('/delete', /Через 30 дней будут стёрты/);
    await user.choose('Удалить аккаунт', /Аккаунт будет удалён/);
    const { app } = harness.testApp;
    const { id } = await harness.accountOf(user);
    await app.db.account.update({ where: { id }, data: { deletionAskedAt: new Date(Date.now() - 31 * 86_400_000) } });
    await harness.settle(user);
    await eraseDueAccounts(app);
    expect(await app.db.account.findUniqueOrThrow({ where: { id } })).toMatchObject({ username: 'Удалённый аккаунт' });
    const stored = await app.db.telegramUser.findUniqueOrThrow({ where: { id: user.id } });
    expect(stored).toMatchObject({ accountId: null, username: null, firstName: '', termsVersion: null });
    const after = user.lastMessageId;
    await user.ask('/balance', /примите условия бота/);
    const { text } = await user.choose('Мне есть 18, принимаю', /Это «Подиум»/, { after });
    expect(text).toContain('На балансе 0 звёзд');
  });
});
