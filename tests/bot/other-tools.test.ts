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

const harness = useBotHarness();

describe('a photo session', () => {
  it('comes back as an album of five watermarked frames, with what can be done next below', async () => {
    const anna = await harness.newMemberWithPhoto();
    await anna.choose(/Фотосессия/, /Фотосессия: 5 кадров[\s\S]*останется 0 звёзд/);
    harness.letEngineHandInPictures(5);
    await anna.choose(/Создать за/, /Что дальше/);
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
    const { messageId: after } = await anna.ask('/gallery', /Ваши результаты/);
    await anna.choose(/Фотосессия, /, /Что дальше/, { after });
    const again = anna.messages().filter(({ kind, messageId }) => kind === 'photo' && messageId > after);
    expect(again.map(({ fileId }) => fileId)).toEqual(album.map(({ fileId }) => fileId));
  });

  it('of two frames gives a star back', async () => {
    const boris = await harness.newMemberWithPhoto();
    await boris.choose(/Фотосессия/, /Фотосессия: 5 кадров/);
    harness.letEngineHandInPictures(2);
    await boris.choose(/Создать за/, /Что дальше/);
    expect((await harness.accountOf(boris)).starBalance).toBe(1);
  });
});

describe('a photo session that is called off when two frames are ready', () => {
  it('has them sent, and says so', async () => {
    const clara = await harness.newMemberWithPhoto();
    await clara.choose(/Фотосессия/, /Фотосессия: 5 кадров/);
    harness.letEngineHandInPictures(2, 'running');
    clara.press(/Создать за/);
    const { id: accountId } = await harness.accountOf(clara);
    const { db } = harness.testApp.app;
    await harness.waitUntil(async () => expect(await db.result.count({ where: { accountId } })).toBe(2));
    await clara.waitFor(/Прошло/);
    await clara.choose('Отменить', /Отменено. Готовые кадры сохранены, присылаю/);
    await clara.waitFor(/Фотосессия: 2 кадра/, { kind: 'photo' });
    await clara.waitFor(/Что дальше/);
    expect(clara.messages().filter(({ kind }) => kind === 'photo')).toHaveLength(2);
    expect(clara.transcript()).not.toContain('готово за');
  });
});

describe('a change of model', () => {
  it('leads through the pages of the catalogue to the picture, the original after a payment', async () => {
    const clara = await harness.newMemberWithPhoto();
    await createPayment(harness.testApp.app.db, (await harness.accountOf(clara)).id);
    const { models } = harness.testApp.app.catalogue;
    const first = await clara.choose(/Сменить модель/, /Страница 1 из 3/, { kind: 'photo' });
    const second = await clara.choose('›', /номер на снимке — номер на кнопке. Страница 2 из 3/, { kind: 'photo' });
    expect(second.messageId).toBe(first.messageId);
    expect(harness.bytesOf(second.fileId).equals(harness.bytesOf(first.fileId))).toBe(false);
    const chosen = models[9];
    await clara.choose(`10. ${chosen?.name}, ${chosen?.ageRange}`, new RegExp(`Модель: ${chosen?.name}`), {
      kind: 'photo',
    });
    await clara.choose(/^\d+\. Luxury · PRO$/, /фон «Luxury»/, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    const picture = await clara.choose(/Создать за/, /Фото с новой моделью готово/, { kind: 'photo' });
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
    await harness.sendPhoto(dora);
    await dora.choose(/Сменить модель/, /Страница 1/, { kind: 'photo' });
    await dora.choose(/^1\. /, /Теперь фон/, { kind: 'photo' });
    await dora.choose(/^2\. /, /Смена модели: /, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    const { messageId: after } = await dora.choose(/Создать за/, /Оригинал файлом/, { kind: 'document' });
    const result = await app.db.result.findFirstOrThrow({ where: { accountId } });
    const file = path.join(app.config.dataDir, 'files', result.originalKey);
    const added = 11 * 1024 * 1024;
    await appendFile(file, Buffer.alloc(added));
    await app.db.result.update({ where: { id: result.id }, data: { bytes: result.bytes + added } });
    await dora.ask('/gallery', /Ваши результаты/);
    // Otherwise Telegram would be asked for the small one that it has: as a photo and as a file.
    await harness.waitUntil(async () =>
      expect(await app.db.telegramFile.count({ where: { resultId: result.id } })).toBe(2),
    );
    await app.db.telegramFile.deleteMany({ where: { resultId: result.id } });
    const sent = await dora.choose(/Сменить модель, /, /Фото с новой моделью готово/, { kind: 'document', after });
    expect(harness.bytesOf(sent.fileId).length).toBeGreaterThan(11 * 1024 * 1024);
    expect(sent.buttons.map(({ text }) => text)).toContain('Ещё раз');
  });

  it('can be chosen by the words alone where Telegram does not take the pictures', async () => {
    const anna = await harness.newMemberWithPhoto();
    const description = 'Bad Request: there is no media in the message to edit';
    harness.telegram.upset('editMessageMedia', { kind: 'refuse', status: 400, description }, 3);
    await anna.choose(/Сменить модель/, /Страница 1 из 3/);
    await anna.choose(/^1\. /, /Теперь фон/);
    await anna.choose(/^2\. /, /Смена модели: /);
    await anna.choose(/Создать за/, /Прошло/);
    harness.letEngineHandInPictures(1);
    await anna.waitFor(/Фото с новой моделью готово/, { kind: 'photo' });
  });

  it('can be left for the other tools, and then the photo itself is seen', async () => {
    const boris = await harness.newMemberWithPhoto();
    const sheet = await boris.choose(/Сменить модель/, /Страница 1 из 3/, { kind: 'photo' });
    const tools = await boris.choose('‹ Назад', /Фото принято: 600×800/, { kind: 'photo' });
    expect(tools.messageId).toBe(sheet.messageId);
    expect(await sharp(harness.bytesOf(tools.fileId)).metadata()).toMatchObject({ width: 600, height: 800 });
    await boris.choose(/Видео/, /Видео: поворот/, { kind: 'photo' });
    await boris.choose(/Создать за/, /Видео. Создаём…[\s\S]*Прошло/, { kind: 'photo' });
    harness.letEngineFinish();
    await boris.waitFor(/Видео готово/, { kind: 'video' });
    expect((await boris.waitFor(/готово за/, { kind: 'photo' })).messageId).toBe(sheet.messageId);
  });

  it('a PRO background needs a payment', async () => {
    const dina = await harness.newMemberWithPhoto();
    await dina.choose(/Сменить модель/, /Выберите модель/, { kind: 'photo' });
    await dina.choose(/,/, /Теперь фон/, { kind: 'photo' });
    dina.press(/Luxury · PRO/);
    await dina.waitForNotice(/после любой покупки/);
    await dina.waitFor(/Купить звезды можно на сайте: http/);
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
    const gala = await harness.newMemberWithPhoto();
    const { buttons } = await gala.choose(/Сменить фон/, /^Выберите новый фон/, { kind: 'photo' });
    const kept = app.catalogue.backgrounds.find(({ type }) => type === 'keep_original');
    expect(buttons.some(({ text }) => text.includes(kept?.name ?? ''))).toBe(false);
    expect(buttons.filter(({ text }) => /^\d+\./.test(text))).toHaveLength(app.catalogue.backgrounds.length - 1);
    const menu = await gala.choose(/^1\. /, /^Смена фона: /, { kind: 'photo' });
    await gala.choose('‹ Назад', /^Выберите новый фон/, { kind: 'photo' });
    await gala.choose(/^1\. /, /^Смена фона: /, { kind: 'photo' });
    // As somebody would have to write them: no button carries the photo's own background.
    const create = menu.buttons.find(({ text }) => text.startsWith('Создать за'))?.callback_data ?? '';
    const unchanged = create.replace(/^(ground-go:)[^:]+/, `$1${shortenId(kept?.id ?? '')}`);
    for (const data of [unchanged, unchanged.replace('ground-go', 'ground')]) gala.pressData({ messageId: 1 }, data);
    await harness.waitUntil(async () => {
      expect(gala.notices().filter((text) => text.includes('Выберите другой фон'))).toHaveLength(2);
    });
    expect((await harness.accountOf(gala)).starBalance).toBe(2);
    await gala.choose(/Создать за/, /^Фото с новым фоном\. /, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    await gala.waitFor(/^Фото с новым фоном готово/, { kind: 'photo' });
    await gala.ask('/gallery', /Ваши результаты/);
    gala.press(/^🖼 Сменить фон, /);
    await gala.ask('/help', /смену фона/);
    expect(gala.transcript()).not.toMatch(/[Мм]одел/);
  });

  it('says before the start of a photo session that a small photo gives no close-ups, and says nothing of a large one', async () => {
    const nina = await harness.newMemberWithPhoto();
    nina.press(/Фотосессия/);
    const { messageId: after } = await nina.waitFor(
      /В этой фотографии 600×800 пикселей: крупных планов не будет, вместо них — вещь целиком/,
    );
    nina.sendPhoto(await drawProductPhoto('garment', { width: 1200, height: 1600 }));
    await nina.waitFor(/Фото принято: 1200×1600/, { after });
    const { text } = await nina.choose(/Фотосессия/, /^Фотосессия: 5 кадров/, { after });
    expect(text).not.toContain('крупных планов');
  });

  it('starts nothing by a button of the time when the engine could, and leads on to the backgrounds', async () => {
    const olga = await harness.newMemberWithPhoto();
    harness.testApp.engine.setGenerative(true);
    await olga.choose(/Сменить фон/, /Страница 1 из 3/, { kind: 'photo' });
    await olga.choose(/^1\. /, /Теперь фон/, { kind: 'photo' });
    const menu = await olga.choose(/^2\. /, /^Смена модели: /, { kind: 'photo' });
    harness.testApp.engine.setGenerative(false);
    olga.press(/Создать за/);
    await olga.waitForNotice(/ничего не запущено и не списано/);
    expect((await harness.accountOf(olga)).starBalance).toBe(2);
    const grounds = await olga.choose('‹ Назад', /^Выберите новый фон/, { kind: 'photo' });
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
    const { text, buttons } = await harness.sendPhoto(mila);
    expect(text).toContain('⚠️ Видео: инструмент на обслуживании');
    expect(buttons.map((button) => button.text)).toEqual(['🧍 Сменить модель', '🎬 Видео']);
    const help = await mila.ask('/help', /^Как это работает/);
    expect(help.text).toContain('смену модели или видео.');
    expect(help.text).toContain('Цены: смена модели — 1 звезда, видео 5 с — 1 звезда.');

    const menu = await mila.choose('🎬 Видео', /^Видео: поворот, 5 с, формат 3:4/);
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
    await mila.choose(/Создать за/, /^Видео\. В очереди…\s+Прошло .*\. Обычно 5–10 минут\./);
  });

  it('fails in words that say once what became of the stars, and then what to do', () => {
    expect(MESSAGES.failed('engine_timed_out', 'balance')).toBe(
      'Не получилось: генерация заняла слишком много времени. Звёзды вернулись на баланс. Попробуйте ещё раз.',
    );
  });
});

describe('buttons that somebody has made up', () => {
  it('lead to existing pages', async () => {
    const hanna = await harness.newMemberWithPhoto();
    const tools = await hanna.waitFor(/Фото принято/);
    const models = tools.buttons.find(({ callback_data }) => callback_data?.startsWith('models:'))?.callback_data ?? '';
    hanna.pressData(tools, models.replace('models:0', 'models:999999999'));
    await hanna.waitFor(/Страница 3 из 3/, { kind: 'photo' });
    hanna.pressData({ messageId: 1 }, 'gallery:999999');
    await hanna.ask('/help', /Как это работает/);
    expect(hanna.transcript()).not.toContain('Ваши результаты');
  });
});

describe('a photo', () => {
  it('of somebody else cannot be used, whatever a button says', async () => {
    const emma = await harness.newMemberWithPhoto();
    const fanny = await harness.newMember();
    const [tools] = emma.messages().filter(({ text }) => text.startsWith('Фото принято'));
    const video = tools?.buttons.find(({ text }) => text === '🎬 Видео');
    fanny.pressData({ messageId: 1 }, (video?.callback_data ?? '').replace('video:', 'go:0:0:0:'));
    await fanny.waitForNotice(/Этого фото больше нет/);
    expect((await harness.accountOf(fanny)).starBalance).toBe(2);
  });
});
