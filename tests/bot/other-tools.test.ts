import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shortenId } from '#bot/keyboards/callback-data.ts';
import { MESSAGES } from '#bot/messages.ts';
import { TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createPayment } from '#tests/support/factories.ts';
import type { TelegramPerson } from '#tests/support/telegram-person.ts';

const harness = useBotHarness();

async function memberWithPhoto(): Promise<TelegramPerson> {
  const person = await harness.newMember();
  person.sendPhoto(harness.photo);
  await person.waitFor(/Фото принято/);
  return person;
}

describe('a photo session', () => {
  it('comes back as an album of five watermarked frames, with what can be done next below', async () => {
    const anna = await memberWithPhoto();
    anna.press(/Фотосессия/);
    await anna.waitFor(/Фотосессия: 5 кадров[\s\S]*останется 0 звёзд/);
    harness.letEngineHandInPictures(5);
    anna.press(/Создать за/);
    await anna.waitFor(/Что дальше/);
    const album = anna.messages().filter(({ kind }) => kind === 'photo');
    expect(album.map(({ isProtected }) => isProtected)).toEqual([true, true, true, true, true]);
    expect(album[0]?.text).toMatch(/Фотосессия: 5 кадров.\s+Копия с логотипом/);
    const { id: accountId } = await harness.accountOf(anna);
    const results = await harness.testApp.app.db.result.findMany({
      where: { accountId },
      orderBy: { position: 'asc' },
    });
    for (const [index, result] of results.entries()) {
      expect(harness.bytesOf(album[index]?.fileId ?? null).equals(await harness.stored(result.watermarkedKey))).toBe(
        true,
      );
    }
    // The second time needs no upload.
    anna.say('/gallery');
    const { messageId: after } = await anna.waitFor(/Ваши результаты/);
    anna.press(/Фотосессия, /);
    await anna.waitFor(/Что дальше/, { after });
    const again = anna.messages().filter(({ kind, messageId }) => kind === 'photo' && messageId > after);
    expect(again.map(({ fileId }) => fileId)).toEqual(album.map(({ fileId }) => fileId));
  });

  it('of two frames gives a star back', async () => {
    const boris = await memberWithPhoto();
    boris.press(/Фотосессия/);
    await boris.waitFor(/Фотосессия: 5 кадров/);
    harness.letEngineHandInPictures(2);
    boris.press(/Создать за/);
    await boris.waitFor(/Что дальше/);
    expect((await harness.accountOf(boris)).starBalance).toBe(1);
  });
});

describe('a photo session that is called off when two frames are ready', () => {
  it('has them sent, and says so', async () => {
    const clara = await memberWithPhoto();
    clara.press(/Фотосессия/);
    await clara.waitFor(/Фотосессия: 5 кадров/);
    harness.letEngineHandInPictures(2, 'running');
    clara.press(/Создать за/);
    const { id: accountId } = await harness.accountOf(clara);
    const { db } = harness.testApp.app;
    await harness.waitUntil(async () => expect(await db.result.count({ where: { accountId } })).toBe(2));
    await clara.waitFor(/Прошло/);
    clara.press('Отменить');
    await clara.waitFor(/Отменено. Готовые кадры сохранены, присылаю/);
    await clara.waitFor(/Фотосессия: 2 кадра/, { kind: 'photo' });
    await clara.waitFor(/Что дальше/);
    expect(clara.messages().filter(({ kind }) => kind === 'photo')).toHaveLength(2);
    expect(clara.transcript()).not.toContain('готово за');
  });
});

describe('a change of model', () => {
  it('leads through the pages of the catalogue to the picture, the original after a payment', async () => {
    const clara = await memberWithPhoto();
    await createPayment(harness.testApp.app.db, (await harness.accountOf(clara)).id);
    const { models } = harness.testApp.app.catalogue;
    clara.press(/Сменить модель/);
    const first = await clara.waitFor(/Страница 1 из 3/, { kind: 'photo' });
    clara.press('›');
    const second = await clara.waitFor(/номер на снимке — номер на кнопке. Страница 2 из 3/, { kind: 'photo' });
    expect(second.messageId).toBe(first.messageId);
    expect(harness.bytesOf(second.fileId).equals(harness.bytesOf(first.fileId))).toBe(false);
    const chosen = models[9];
    clara.press(`10. ${chosen?.name}, ${chosen?.ageRange}`);
    await clara.waitFor(new RegExp(`Модель: ${chosen?.name}`), { kind: 'photo' });
    clara.press(/^\d+\. Luxury · PRO$/);
    await clara.waitFor(/фон «Luxury»/, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    clara.press(/Создать за/);
    const picture = await clara.waitFor(/Фото с новой моделью готово/, { kind: 'photo' });
    expect(picture.isProtected).toBe(false);
    await clara.waitFor(/Оригинал файлом/, { kind: 'document' });
    const { id: accountId } = await harness.accountOf(clara);
    const result = await harness.testApp.app.db.result.findFirstOrThrow({ where: { accountId } });
    expect(harness.bytesOf(picture.fileId).equals(await harness.stored(result.originalKey))).toBe(true);
    const { settings } = await harness.testApp.app.db.generation.findUniqueOrThrow({
      where: { id: result.generationId },
    });
    expect(settings).toMatchObject({ modelId: chosen?.id, backgroundId: 'luxury' });
  });

  it('whose picture is over 10 MB comes as a file, because Telegram takes no such photo', async () => {
    const dora = await harness.newMember();
    const { app } = harness.testApp;
    const { id: accountId } = await harness.accountOf(dora);
    await createPayment(app.db, accountId);
    dora.sendPhoto(harness.photo);
    await dora.waitFor(/Фото принято/);
    dora.press(/Сменить модель/);
    await dora.waitFor(/Страница 1/, { kind: 'photo' });
    dora.press(/^1\. /);
    await dora.waitFor(/Теперь фон/, { kind: 'photo' });
    dora.press(/^2\. /);
    await dora.waitFor(/Смена модели: /, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    dora.press(/Создать за/);
    const { messageId: after } = await dora.waitFor(/Оригинал файлом/, { kind: 'document' });
    const result = await app.db.result.findFirstOrThrow({ where: { accountId } });
    const file = path.join(app.config.dataDir, 'files', result.originalKey);
    const added = 11 * 1024 * 1024;
    await appendFile(file, Buffer.alloc(added));
    await app.db.result.update({ where: { id: result.id }, data: { bytes: result.bytes + added } });
    dora.say('/gallery');
    await dora.waitFor(/Ваши результаты/);
    // Otherwise Telegram would be asked for the small one that it has: as a photo and as a file.
    await harness.waitUntil(async () =>
      expect(await app.db.telegramFile.count({ where: { resultId: result.id } })).toBe(2),
    );
    await app.db.telegramFile.deleteMany({ where: { resultId: result.id } });
    dora.press(/Сменить модель, /);
    const sent = await dora.waitFor(/Фото с новой моделью готово/, { kind: 'document', after });
    expect(harness.bytesOf(sent.fileId).length).toBeGreaterThan(11 * 1024 * 1024);
    expect(sent.buttons.map(({ text }) => text)).toContain('Ещё раз');
  });

  it('can be chosen by the words alone where Telegram does not take the pictures', async () => {
    const anna = await memberWithPhoto();
    const description = 'Bad Request: there is no media in the message to edit';
    harness.telegram.upset('editMessageMedia', { kind: 'refuse', status: 400, description }, 3);
    anna.press(/Сменить модель/);
    await anna.waitFor(/Страница 1 из 3/);
    anna.press(/^1\. /);
    await anna.waitFor(/Теперь фон/);
    anna.press(/^2\. /);
    await anna.waitFor(/Смена модели: /);
    anna.press(/Создать за/);
    await anna.waitFor(/Прошло/);
    harness.letEngineHandInPictures(1);
    await anna.waitFor(/Фото с новой моделью готово/, { kind: 'photo' });
  });

  it('can be left for the other tools, and then the photo itself is seen', async () => {
    const boris = await memberWithPhoto();
    boris.press(/Сменить модель/);
    const sheet = await boris.waitFor(/Страница 1 из 3/, { kind: 'photo' });
    boris.press('‹ Назад');
    const tools = await boris.waitFor(/Фото принято: 600×800/, { kind: 'photo' });
    expect(tools.messageId).toBe(sheet.messageId);
    expect(await sharp(harness.bytesOf(tools.fileId)).metadata()).toMatchObject({ width: 600, height: 800 });
    boris.press(/Видео/);
    await boris.waitFor(/Видео: поворот/, { kind: 'photo' });
    boris.press(/Создать за/);
    await boris.waitFor(/Видео. Создаём…[\s\S]*Прошло/, { kind: 'photo' });
    harness.letEngineFinish();
    await boris.waitFor(/Видео готово/, { kind: 'video' });
    expect((await boris.waitFor(/готово за/, { kind: 'photo' })).messageId).toBe(sheet.messageId);
  });

  it('a PRO background needs a payment', async () => {
    const dina = await memberWithPhoto();
    dina.press(/Сменить модель/);
    await dina.waitFor(/Выберите модель/, { kind: 'photo' });
    dina.press(/,/);
    await dina.waitFor(/Теперь фон/, { kind: 'photo' });
    dina.press(/Luxury · PRO/);
    await dina.waitForNotice(/после любой покупки/);
    await dina.waitFor(/Пополнить можно на сайте: http/);
    await harness.settle(dina);
    expect(dina.transcript()).not.toContain('фон «Luxury»');
    expect((await harness.accountOf(dina)).starBalance).toBe(2);
  });
});

describe('an engine that cannot put another person in', () => {
  beforeEach(() => harness.testApp.engine.setGenerative(false));
  afterEach(() => harness.testApp.engine.setGenerative(true));

  it('changes the background in three steps, names no model, and its result is called what it is', async () => {
    const { app } = harness.testApp;
    const gala = await memberWithPhoto();
    gala.press(/Сменить фон/);
    const { buttons } = await gala.waitFor(/^Выберите новый фон/, { kind: 'photo' });
    const kept = app.catalogue.backgrounds.find(({ type }) => type === 'keep_original');
    expect(buttons.some(({ text }) => text.includes(kept?.name ?? ''))).toBe(false);
    expect(buttons.filter(({ text }) => /^\d+\./.test(text))).toHaveLength(app.catalogue.backgrounds.length - 1);
    gala.press(/^1\. /);
    const menu = await gala.waitFor(/^Смена фона: /, { kind: 'photo' });
    gala.press('‹ Назад');
    await gala.waitFor(/^Выберите новый фон/, { kind: 'photo' });
    gala.press(/^1\. /);
    await gala.waitFor(/^Смена фона: /, { kind: 'photo' });
    // As somebody would have to write them: no button carries the photo's own background.
    const create = menu.buttons.find(({ text }) => text.startsWith('Создать за'))?.callback_data ?? '';
    const unchanged = create.replace(/^(ground-go:)[^:]+/, `$1${shortenId(kept?.id ?? '')}`);
    for (const data of [unchanged, unchanged.replace('ground-go', 'ground')]) gala.pressData({ messageId: 1 }, data);
    await harness.waitUntil(async () => {
      expect(gala.notices().filter((text) => text.includes('Выберите другой фон'))).toHaveLength(2);
    });
    expect((await harness.accountOf(gala)).starBalance).toBe(2);
    gala.press(/Создать за/);
    await gala.waitFor(/^Фото с новым фоном\. /, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    await gala.waitFor(/^Фото с новым фоном готово/, { kind: 'photo' });
    gala.say('/gallery');
    await gala.waitFor(/Ваши результаты/);
    gala.press(/^🖼 Сменить фон, /);
    gala.say('/help');
    await gala.waitFor(/смену фона/);
    expect(gala.transcript()).not.toMatch(/[Мм]одел/);
  });

  it('says before the start of a photo session that a small photo gives no close-ups, and says nothing of a large one', async () => {
    const nina = await memberWithPhoto();
    nina.press(/Фотосессия/);
    const { messageId: after } = await nina.waitFor(
      /В этой фотографии 600×800 пикселей: крупных планов не будет, вместо них — вещь целиком/,
    );
    nina.sendPhoto(await drawProductPhoto('garment', { width: 1200, height: 1600 }));
    await nina.waitFor(/Фото принято: 1200×1600/, { after });
    nina.press(/Фотосессия/);
    const { text } = await nina.waitFor(/^Фотосессия: 5 кадров/, { after });
    expect(text).not.toContain('крупных планов');
  });

  it('starts nothing by a button of the time when the engine could, and leads on to the backgrounds', async () => {
    const olga = await memberWithPhoto();
    harness.testApp.engine.setGenerative(true);
    olga.press(/Сменить фон/);
    await olga.waitFor(/Страница 1 из 3/, { kind: 'photo' });
    olga.press(/^1\. /);
    await olga.waitFor(/Теперь фон/, { kind: 'photo' });
    olga.press(/^2\. /);
    const menu = await olga.waitFor(/^Смена модели: /, { kind: 'photo' });
    harness.testApp.engine.setGenerative(false);
    olga.press(/Создать за/);
    await olga.waitForNotice(/ничего не запущено и не списано/);
    expect((await harness.accountOf(olga)).starBalance).toBe(2);
    olga.press('‹ Назад');
    const grounds = await olga.waitFor(/^Выберите новый фон/, { kind: 'photo' });
    expect(grounds.messageId).toBe(menu.messageId);
  });
});

describe('an engine elsewhere that makes less', () => {
  beforeEach(() => {
    const { engine } = harness.testApp;
    const video = { mover: 'person', seconds: [5], aspectRatios: ['3:4'] };
    Object.assign(engine.abilities, { video, photosession: null });
    Object.assign(engine, { photosTravel: 'abroad' });
  });
  afterEach(async () => {
    harness.testApp.engine.setGenerative(true);
    Object.assign(harness.testApp.engine, { photosTravel: 'nowhere' });
    await harness.testApp.app.db.engineOutage.deleteMany();
  });

  it('is offered with what it makes, and says where photos go and what cannot be started before it is pressed', async () => {
    const { db } = harness.testApp.app;
    const outage = { engine: 'fake', kind: 'video', cause: 'unfunded', detail: 'no balance' } as const;
    await db.engineOutage.create({ data: { ...outage, retryAt: new Date(Date.now() + 600_000) } });
    const mila = await harness.newMember();
    const consented = { transferConsentVersion: TRANSFER_VERSION, transferConsentAt: new Date() };
    await db.account.update({ where: { id: (await harness.accountOf(mila)).id }, data: consented });
    mila.sendPhoto(harness.photo);
    const { text, buttons } = await mila.waitFor(/Фото принято/);
    expect(text).toContain('⚠️ Видео: инструмент на обслуживании');
    expect(buttons.map((button) => button.text)).toEqual(['🎬 Видео', '🧍 Сменить модель']);
    mila.say('/help');
    const help = await mila.waitFor(/^Как это работает/);
    expect(help.text).toContain('видео или смену модели.');
    expect(help.text).toContain('Цены: видео 5 с — 1 звезда, смена модели — 1 звезда.');

    mila.press('🎬 Видео');
    const menu = await mila.waitFor(/^Видео: поворот, 5 с, формат 3:4/);
    expect(menu.text).toContain('⚠️ Инструмент на обслуживании');
    expect(menu.text).toContain('Фото обрабатывается на сервере за границей.');
    expect(menu.text).not.toContain('10 с');
    expect(menu.buttons.map((button) => button.text)).not.toContain('Формат 3:4');
    mila.press(/Создать за/);
    await mila.waitForNotice(/на обслуживании.*звёзды не списываются/);
    expect((await harness.accountOf(mila)).starBalance).toBe(2);

    // The button of a time when ten seconds were made.
    const wanted = (menu.buttons.find((button) => button.text === '● 5 с')?.callback_data ?? '').replace(
      /^(menu:\d:)\d:\d/,
      '$11:1',
    );
    mila.pressData({ messageId: menu.messageId }, wanted);
    await mila.waitFor(/Видео 10 секунд сейчас не создаётся, выбрано 5 секунд\./);

    // The obstacle goes, and the same button starts it. Videos of earlier tests would make another estimate.
    await db.generation.updateMany({ where: { status: 'completed' }, data: { engine: 'former' } });
    await db.engineOutage.deleteMany();
    mila.press(/Создать за/);
    await mila.waitFor(/^Видео\. В очереди…\s+Прошло .*\. Обычно 5–10 минут\./);
  });

  it('fails in words that say once what became of the stars, and then what to do', () => {
    expect(MESSAGES.failed('engine_timed_out', 'balance')).toBe(
      'Не получилось: генерация заняла слишком много времени. Звёзды вернулись на баланс. Попробуйте ещё раз.',
    );
  });
});

describe('buttons that somebody has made up', () => {
  it('lead to existing pages', async () => {
    const hanna = await memberWithPhoto();
    const tools = await hanna.waitFor(/Фото принято/);
    const models = tools.buttons.find(({ callback_data }) => callback_data?.startsWith('models:'))?.callback_data ?? '';
    hanna.pressData(tools, models.replace('models:0', 'models:999999999'));
    await hanna.waitFor(/Страница 3 из 3/, { kind: 'photo' });
    hanna.pressData({ messageId: 1 }, 'gallery:999999');
    hanna.say('/help');
    await hanna.waitFor(/Как это работает/);
    expect(hanna.transcript()).not.toContain('Ваши результаты');
  });
});

describe('a photo', () => {
  it('of somebody else cannot be used, whatever a button says', async () => {
    const emma = await memberWithPhoto();
    const fanny = await harness.newMember();
    const [tools] = emma.messages().filter(({ text }) => text.startsWith('Фото принято'));
    const [video] = tools?.buttons ?? [];
    fanny.pressData({ messageId: 1 }, (video?.callback_data ?? '').replace('video:', 'go:0:0:0:'));
    await fanny.waitForNotice(/Этого фото больше нет/);
    expect((await harness.accountOf(fanny)).starBalance).toBe(2);
  });
});
