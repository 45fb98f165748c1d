import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobPayload } from '#api/queue/job-definitions.ts';
import { createBatch } from '#api/services/batches/batches.ts';
import { startBatch } from '#api/services/batches/commands.ts';
import { addRows } from '#api/services/batches/rows.ts';
import { presentPremium } from '#api/services/core/premium-status.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { batchSet } from '#shared/contract/batches.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createPayment, createStoredPhoto } from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';
import { registerVerified } from '#tests/support/users.ts';

const harness = useBotHarness();
let albums = 0;

/** Photos that are no duplicates of one another. */
function drawPhotos(count: number): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => drawProductPhoto('garment', { width: 400 + index, height: 500 })),
  );
}

/** Sends an album and waits for the message about it when all of it has come. */
async function sendAlbum(user: TelegramUser, photos: Buffer[], extras: Record<string, unknown>[] = []): Promise<void> {
  const media_group_id = `album-${++albums}`;
  for (const [index, photo] of photos.entries()) user.sendPhoto(photo, { media_group_id, ...extras[index] });
  await harness.settle(user);
}

async function batchesOf(user: TelegramUser) {
  const { id: accountId } = await harness.accountOf(user);
  return harness.testApp.app.db.batch.findMany({
    where: { accountId },
    include: { rows: { orderBy: { position: 'asc' } } },
    orderBy: { createdAt: 'asc' },
  });
}

async function giveStars(user: TelegramUser, stars: number): Promise<void> {
  const { id: accountId, starBalance } = await harness.accountOf(user);
  const { db } = harness.testApp.app;
  const causeKey = `test:${accountId}:${starBalance}`;
  await db.$transaction([
    db.starEntry.create({ data: { accountId, kind: 'correction', delta: stars - starBalance, causeKey } }),
    db.account.update({ where: { id: accountId }, data: { starBalance: stars } }),
  ]);
}

/** A member with so many stars, who has paid before or not. */
async function newSeller({ stars = 20, isPaid = false } = {}): Promise<TelegramUser> {
  const user = await harness.newMember();
  await giveStars(user, stars);
  if (isPaid) await createPayment(harness.testApp.app.db, (await harness.accountOf(user)).id);
  return user;
}

const countOf = (user: TelegramUser, kind: string) => user.messages().filter((message) => message.kind === kind).length;

/** Handles every update of the chat again, as after a kill that nobody has recorded the end of. */
async function handleAgain(user: TelegramUser): Promise<void> {
  await harness.testApp.app.db.telegramUpdate.updateMany({
    where: { chatId: user.id },
    data: { finishedAt: null, attempts: 0 },
  });
  await harness.settle(user);
}

describe('an album', () => {
  it('is a batch with one message: the tool is asked once, with the price, and results come as an album', async () => {
    const anna = await newSeller({ stars: 10 });
    const before = anna.lastMessageId;
    await sendAlbum(anna, await drawPhotos(2));
    const asked = await anna.waitFor(
      /Фото в партии: 2\.[\s\S]*Telegram сжимает фото[\s\S]*Что сделать из каждого фото\?/,
    );
    expect(anna.messages().filter(({ messageId }) => messageId > before)).toHaveLength(1);
    const menu = await anna.choose(
      /Видео/,
      /Видео: поворот, 5 с[\s\S]*Цена 2 звезды. На балансе 10 звёзд, останется 8/,
    );
    expect(menu.messageId).toBe(asked.messageId);
    await anna.choose('10 с', /Видео: поворот, 10 с[\s\S]*Цена 4 звезды/);
    await anna.choose('5 с', /Видео: поворот, 5 с/);
    harness.letEngineFinish();
    anna.press('Создать 2 за 2 звезды');
    const state = await anna.waitFor(/Партия: 2 готово\.[\s\S]*с логотипом, для ознакомления/, {
      after: menu.messageId,
    });
    const videos = anna.messages().filter(({ kind }) => kind === 'video');
    expect(videos.map(({ isProtected }) => isProtected)).toEqual([true, true]);
    expect(videos.every(({ messageId }) => messageId < state.messageId)).toBe(true);
    const calls = harness.telegram.calls.filter(({ payload }) => Number(payload.chat_id) === anna.id);
    expect(calls.filter(({ method }) => method === 'sendMediaGroup')).toHaveLength(1);
    expect((await anna.waitFor(/в сообщении ниже/)).messageId).toBe(menu.messageId);
    await harness.finishJobs();
    expect(countOf(anna, 'document')).toBe(0);
    expect(anna.transcript()).not.toMatch(/Видео готово|Видео: готово/);
    expect((await harness.accountOf(anna)).starBalance).toBe(8);
    const { db } = harness.testApp.app;
    const results = await db.result.findMany({ where: { accountId: (await harness.accountOf(anna)).id } });
    const copies = await Promise.all(results.map(({ watermarkedKey }) => harness.stored(watermarkedKey)));
    expect(videos.every(({ fileId }) => copies.some((copy) => copy.equals(harness.bytesOf(fileId))))).toBe(true);
  });

  it('that comes in another order and is repeated has each photo once, and everything handled again adds nothing', async () => {
    const boris = await newSeller();
    const photos = await drawPhotos(2);
    const media_group_id = `album-${++albums}`;
    const first = harness.telegram.nextMessageId;
    const ids = [first + 1, first];
    const updates = photos.map((photo, index) => boris.sendPhoto(photo, { media_group_id, message_id: ids[index] }));
    for (const id of updates.toReversed()) harness.telegram.repeat(id);
    await boris.waitFor(/Фото в партии: 2\./);
    await harness.settle(boris);
    const before = boris.messages().length;
    await handleAgain(boris);
    const [batch, ...others] = await batchesOf(boris);
    expect(others).toEqual([]);
    expect(batch?.rows.map(({ stage }) => stage)).toEqual(['ready', 'ready']);
    expect(await harness.testApp.app.db.photo.count({ where: { accountId: batch?.accountId ?? 0 } })).toBe(2);
    expect(boris.messages()).toHaveLength(before);
    await boris.choose(/Видео/, /Цена 2 звезды/);
    await boris.choose('Создать 2 за 2 звезды', /Готово 0 из 2\./);
    await handleAgain(boris);
    const { db } = harness.testApp.app;
    expect((await batchesOf(boris))[0]?.runs).toBe(1);
    harness.letEngineFinish();
    // Copies of videos are made meanwhile, so that the results come a little later.
    await harness.waitUntil(async () => expect(countOf(boris, 'video')).toBe(2));
    expect(await db.generation.count({ where: { batchId: batch?.id ?? '' } })).toBe(2);
    await handleAgain(boris);
    // A worker that was killed before it recorded the end of its job.
    const { rows: jobs } = await harness.testApp.database.pool.query<{ data: JobPayload<'send-telegram-batch'> }>(
      `SELECT data FROM pgboss.job WHERE name = 'send-telegram-batch' AND data ->> 'batchId' = $1 LIMIT 1`,
      [batch?.id],
    );
    const { app } = harness.testApp;
    for (const { data } of jobs) await app.db.$transaction((tx) => app.queue.send(tx, 'send-telegram-batch', data));
    expect(jobs).toHaveLength(1);
    await harness.finishJobs();
    expect(countOf(boris, 'video')).toBe(2);
    expect((await harness.accountOf(boris)).starBalance).toBe(18);
  });

  it('loses no photo whose bot was killed between its row and its file', async () => {
    const vera = await newSeller();
    await sendAlbum(vera, await drawPhotos(2));
    const [batch] = await batchesOf(vera);
    const { db } = harness.testApp.app;
    const lost = batch?.rows[1];
    await db.batchRow.update({ where: { id: lost?.id ?? '' }, data: { stage: 'uploading', photoId: null } });
    await db.photo.delete({ where: { id: lost?.photoId ?? '' } });
    await handleAgain(vera);
    const [again] = await batchesOf(vera);
    expect(again?.rows.map(({ id, stage }) => [id, stage])).toEqual(batch?.rows.map(({ id }) => [id, 'ready']));
  });

  it('has documents as photos; what is none is named with its reason, and a video, too', async () => {
    const clara = await newSeller();
    const media_group_id = `album-${++albums}`;
    const [first, second] = await drawPhotos(2);
    clara.sendFile(first as Buffer, { name: 'ART-100.jpg' }, { media_group_id });
    clara.sendFile(Buffer.from('GIF89a…'), { name: 'move.gif', mime: 'image/gif' }, { media_group_id });
    clara.sendFile(Buffer.from('text'), { name: 'list.txt', mime: 'text/plain' }, { media_group_id });
    clara.sendFile(second as Buffer, { name: 'huge.png', size: 11 * 1024 * 1024 }, { media_group_id });
    clara.send({ video: { file_id: 'v', file_name: 'clip.mp4' }, media_group_id });
    const { text } = await clara.waitFor(/Фото в партии: 1\.[\s\S]*Не подошли 4 файла/);
    for (const name of ['move.gif', 'list.txt', 'huge.png', 'clip.mp4'])
      expect(text).toMatch(new RegExp(`• ${name} — .{8,}`));
    expect(text).not.toContain('сжимает');
    await harness.settle(clara);
    expect(clara.messages().filter(({ kind, text }) => kind === 'text' && text.includes('move.gif'))).toHaveLength(1);
  });

  it('has captions as articles, which name the results; a long text is a note', async () => {
    const dina = await newSeller({ isPaid: true });
    const long = `${'Очень длинная подпись, которая артикулом быть не может. '.repeat(3)}`;
    await sendAlbum(dina, await drawPhotos(3), [{ caption: 'ПЛ-7 красное' }, {}, { caption: long }]);
    const { text } = await dina.waitFor(/Фото в партии: 3\./);
    expect(text).toContain('Артикулы: ПЛ-7 красное.');
    const [batch] = await batchesOf(dina);
    expect(batch?.rows.map(({ note }) => note)).toEqual([null, null, long.trim()]);
    await dina.choose(/Видео/, /Цена 3 звезды/);
    harness.letEngineFinish();
    dina.press(/^Создать 3/);
    const zip = await dina.waitFor(/Все результаты файлами: 3 файла/, { kind: 'document' });
    await dina.waitFor(/Партия: 3 готово[\s\S]*оригиналы/);
    const videos = dina.messages().filter(({ kind }) => kind === 'video');
    expect(videos.map(({ isProtected }) => isProtected)).toEqual([false, false, false]);
    expect(videos[0]?.text).toMatch(/^ПЛ-7 красное/);
    const files = await readZip(harness.bytesOf(zip.fileId));
    expect([...files.keys()].some((name) => name.startsWith('ПЛ-7_красное'))).toBe(true);
    const results = await harness.testApp.app.db.result.findMany({ where: { accountId: batch?.accountId ?? 0 } });
    for (const { originalKey } of results) {
      const original = await harness.stored(originalKey);
      expect([...files.values()].some((content) => content.equals(original))).toBe(true);
    }
  });

  it('of photos that are there already asks about them, and takes them when told so', async () => {
    const emma = await newSeller();
    const [same, other] = await drawPhotos(2);
    await harness.sendPhoto(emma, same);
    await sendAlbum(emma, [same as Buffer, other as Buffer]);
    await emma.waitFor(/Фото в партии: 1\.[\s\S]*Такие фото у вас уже есть \(1\)/);
    await emma.choose('Взять и повторы (1)', /Фото в партии: 2\./);
  });

  it('counts as one message for the limit of messages, so that twenty albums get through', async () => {
    const fanny = await newSeller();
    const photos = await drawPhotos(1);
    for (let album = 0; album < 4; album++) {
      for (let one = 0; one < 8; one++) fanny.sendPhoto(photos[0] as Buffer, { media_group_id: `many-${album}` });
    }
    await harness.settle(fanny);
    expect(fanny.transcript()).not.toContain('Слишком много сообщений');
    expect((await batchesOf(fanny))[0]?.rows).toHaveLength(32);
  });
});

describe('more photos', () => {
  it('of a selection over ten come as a second album and a single photo, and belong together', async () => {
    const greta = await newSeller();
    const photos = await drawPhotos(5);
    await sendAlbum(greta, photos.slice(0, 2));
    await sendAlbum(greta, photos.slice(2, 4));
    greta.sendPhoto(photos[4] as Buffer);
    await greta.waitFor(/Фото в партии: 5\./);
    await harness.settle(greta);
    expect(await batchesOf(greta)).toHaveLength(1);
    expect(greta.transcript()).not.toContain('Фото принято');
    // Only the last message shows the batch.
    expect(greta.messages().filter(({ text }) => text.startsWith('Фото в партии'))).toHaveLength(1);
  });

  it('are taken after «Ещё фото», also much later, and not otherwise; a started batch takes them, too', async () => {
    const hanna = await newSeller();
    const photos = await drawPhotos(4);
    const date = Math.floor(Date.now() / 1000) - 3_600;
    await sendAlbum(hanna, photos.slice(0, 2), [{ date }, { date }]);
    await harness.sendPhoto(hanna, photos[2]);
    await hanna.choose('Ещё фото', /Фото в партии: 2/);
    await hanna.waitForNotice(/добавятся в эту партию/);
    hanna.sendPhoto(photos[3] as Buffer);
    await hanna.waitFor(/Фото в партии: 3/);
    await hanna.choose(/🎬 Видео/, /Цена 3 звезды/);
    await hanna.choose('Создать 3 за 3 звезды', /Готово 0 из 3/);
    hanna.press('Ещё фото');
    hanna.sendPhoto(await drawProductPhoto('garment', { width: 700, height: 900 }));
    const more = await hanna.waitFor(/Готово 0 из 3/);
    await harness.waitUntil(async () =>
      expect(
        hanna
          .messages()
          .at(-1)
          ?.buttons.map(({ text }) => text),
      ).toContain('Создать ещё 1 за 1 звезду'),
    );
    expect(more.kind).toBe('text');
    hanna.press('Создать ещё 1 за 1 звезду');
    harness.letEngineFinish();
    await hanna.waitFor(/Партия: 4 готово/);
  });
});

describe('the start', () => {
  it('is one, however often the button is pressed, and an old price starts nothing', async () => {
    const ida = await newSeller();
    await sendAlbum(ida, await drawPhotos(2));
    const menu = await ida.choose(/Видео/, /Цена 2 звезды/);
    const go = menu.buttons.find(({ text }) => text.startsWith('Создать 2'))?.callback_data ?? '';
    ida.pressData(menu, go.replace('b-go:2', 'b-go:1'));
    await ida.waitForNotice(/Цена изменилась/);
    expect((await batchesOf(ida))[0]?.startedAt).toBeNull();
    const update = ida.pressData(menu, go);
    ida.pressData(menu, go);
    harness.telegram.repeat(update);
    await ida.waitFor(/Готово 0 из 2/);
    await harness.settle(ida);
    expect((await batchesOf(ida))[0]?.runs).toBe(1);
    await ida.choose('Пауза', /⏸ Партия на паузе/);
    await ida.choose(/^Продолжить за/, /Готово 0 из 2/);
    harness.letEngineFinish();
    await ida.waitFor(/Партия: 2 готово/);
    expect((await harness.accountOf(ida)).starBalance).toBe(18);
  });

  it('of the first three comes before the rest, and what waits can be stopped', async () => {
    const julia = await newSeller();
    await sendAlbum(julia, await drawPhotos(5));
    await julia.choose(/Видео/, /Цена 5 звёзд/);
    await julia.choose('Сначала 3 за 3 звезды', /Готово 0 из 3/);
    await harness.waitUntil(async () =>
      expect(
        julia
          .messages()
          .at(-1)
          ?.buttons.map(({ text }) => text),
      ).toContain('Остановить ожидающие (2)'),
    );
    julia.press('Остановить ожидающие (2)');
    await julia.waitFor(/Готово 0 из 1/);
    harness.letEngineFinish();
    await julia.waitFor(/Партия: 1 готово, 2 остановлено[\s\S]*Фото в партии: 2|Партия: 1 готово, 2 остановлено/);
    await harness.waitUntil(async () => expect(countOf(julia, 'video')).toBe(1));
  });

  it('of what did not come out is offered again with its reasons, and only the new results come then', async () => {
    const kira = await newSeller();
    await sendAlbum(kira, await drawPhotos(2));
    await kira.choose(/Видео/, /Цена 2 звезды/);
    harness.letEngineFail('photo_unsuitable');
    await kira.choose(/^Создать 2/, /Партия: 0 готово, 2 не вышло\.[\s\S]*Почему не вышло[\s\S]*• .+: фото 1, фото 2/);
    expect((await harness.accountOf(kira)).starBalance).toBe(20);
    harness.letEngineFinish();
    kira.press('Повторить неудачные (2) за 2 звезды');
    await harness.waitUntil(async () => expect(countOf(kira, 'video')).toBe(2));
    await harness.finishJobs();
    expect(countOf(kira, 'video')).toBe(2);
    await kira.choose('Прислать результаты ещё раз', /./, { kind: 'video' });
    await harness.waitUntil(async () => expect(countOf(kira, 'video')).toBe(4));
  });

  it('of a change of model asks for model and background once', async () => {
    const lena = await newSeller();
    await sendAlbum(lena, await drawPhotos(2));
    await lena.choose(/Сменить модель/, /Страница 1 из 3/, { kind: 'photo' });
    await lena.choose(/^1\. /, /Теперь фон/, { kind: 'photo' });
    await lena.choose(/^2\. /, /Фото в партии: 2[\s\S]*Смена модели: .+, фон «.+»[\s\S]*Цена/, { kind: 'photo' });
    harness.letEngineHandInPictures(1);
    lena.press(/^Создать 2/);
    await lena.waitFor(/Партия: 2 готово/);
    const pictures = lena
      .messages()
      .filter(({ kind, fileId, isProtected }) => kind === 'photo' && fileId && isProtected);
    expect(pictures).toHaveLength(2);
  });

  it('takes a named set of the site', async () => {
    const olga = await newSeller();
    const { id: accountId } = await harness.accountOf(olga);
    const settings = { duration: 10, preset: 'walk', aspectRatio: '9:16' };
    await harness.testApp.app.db.settingSet.create({
      data: { accountId, kind: 'video', name: 'Для Ozon', nameKey: 'для ozon', settings },
    });
    await sendAlbum(olga, await drawPhotos(2));
    await olga.choose(/Видео/, /Какой набор настроек взять/);
    await olga.choose('Набор «Для Ozon»', /Видео: .+, 10 с, формат 9:16[\s\S]*Цена 4 звезды/);
  });
});

describe('stars', () => {
  it('that are missing are said before the start; the pause is told once, and the purchase goes on if its owner wants it', async () => {
    const polina = await newSeller({ stars: 1 });
    await sendAlbum(polina, await drawPhotos(3));
    await polina.choose(/Видео/, /Цена 3 звезды. На балансе 1 звезда: хватит на 1 из 3/);
    harness.letEngineFinish();
    polina.press(/^Создать 3/);
    await polina.waitFor(/ждёт звёзд: не хватает 2 звезды/);
    await harness.finishJobs();
    expect(polina.messages().filter(({ text }) => text.includes('ждёт звёзд'))).toHaveLength(1);
    await polina.choose('⬜️ Продолжить после покупки звёзд', /⏸ Не хватает звёзд/);
    await harness.waitUntil(async () =>
      expect(
        polina
          .messages()
          .at(-1)
          ?.buttons.map(({ text }) => text),
      ).toContain('✅ Продолжить после покупки звёзд'),
    );
    await polina.choose('Купить звёзды', /Купить звезды можно/);
    await giveStars(polina, 5);
    const { app } = harness.testApp;
    const { id: accountId } = await harness.accountOf(polina);
    await app.db.$transaction((tx) => wakeLine(app, tx, accountId));
    await polina.waitFor(/Партия: 3 готово/);
    expect((await harness.accountOf(polina)).starBalance).toBe(3);
    const told = polina.messages().filter(({ history }) => history.some((text) => text.includes('ждёт звёзд')));
    expect(told).toHaveLength(1);
  });
});

describe('a ZIP over 50 MB', () => {
  it('is a link to the batch', async () => {
    const rita = await newSeller({ isPaid: true });
    await sendAlbum(rita, await drawPhotos(2));
    await rita.choose(/Видео/, /Цена 2 звезды/);
    harness.letEngineFinish();
    rita.press(/^Создать 2/);
    const small = await rita.waitFor(/Все результаты файлами/, { kind: 'document' });
    await rita.waitFor(/Партия: 2 готово/);
    await harness.finishJobs();
    const { db } = harness.testApp.app;
    const { id: accountId } = await harness.accountOf(rita);
    const more = 30 * 1024 * 1024;
    for (const { id, originalKey, bytes } of await db.result.findMany({ where: { accountId } })) {
      await appendFile(path.join(harness.testApp.app.config.dataDir, 'files', originalKey), Buffer.alloc(more));
      await db.result.update({ where: { id }, data: { bytes: bytes + more } });
    }
    await rita.choose('Прислать результаты ещё раз', /больше 50 МБ[\s\S]*batches\?batch=.+[\s\S]*\/link/, {
      after: small.messageId,
    });
  });
});

describe('a batch of the site', () => {
  async function newLinkedSeller() {
    const site = await registerVerified(harness.testApp);
    const user = await harness.newMember();
    await harness.link(site, user);
    await giveStars(user, 10);
    return { user, accountId: site.account.id };
  }

  async function runOnSite(accountId: number): Promise<string> {
    const { app } = harness.testApp;
    const viewer = { id: accountId, premium: presentPremium(0) };
    const set = batchSet.parse({ kind: 'video', settings: {} });
    const { id } = await createBatch(app, viewer, { id: randomUUID(), name: 'Осень', set });
    const photos = [await createStoredPhoto(app, accountId), await createStoredPhoto(app, accountId)];
    const rows = photos.map((photo) => ({ id: randomUUID(), name: 'photo.jpg', photoId: photo.id }));
    const { batch } = await addRows(app, viewer, id, rows);
    await startBatch(app, viewer, id, { isPilot: false, agreedStars: batch.prices.ready.stars, key: null });
    return id;
  }

  it('is told of in one message with a link, and its results come when they are asked for', async () => {
    const { user, accountId } = await newLinkedSeller();
    harness.letEngineFinish();
    const id = await runOnSite(accountId);
    const told = await user.waitFor(/«Осень»\. Партия: 2 готово\.\s+Посмотреть: http/);
    expect(told.text).toContain(id);
    await harness.finishJobs();
    expect(countOf(user, 'video')).toBe(0);
    user.press('Прислать результаты сюда');
    await harness.waitUntil(async () => expect(countOf(user, 'video')).toBe(2));
    await user.ask('/batches', /Ваши партии/);
    await user.choose('Осень · 2 фото', /Партия: 2 готово\.[\s\S]*с логотипом/);
  });

  it('is not told of where its owner wants no results of the site', async () => {
    const { user, accountId } = await newLinkedSeller();
    await harness.testApp.app.db.telegramUser.update({ where: { id: user.id }, data: { tellsResults: false } });
    harness.letEngineFinish();
    const id = await runOnSite(accountId);
    const { db } = harness.testApp.app;
    await harness.waitUntil(async () =>
      expect((await db.batch.findUniqueOrThrow({ where: { id } })).status).toBe('open'),
    );
    await harness.finishJobs();
    expect(user.transcript()).not.toContain('Осень');
  });
});

it('a batch of a chat that is parted from its account shows nothing more there', async () => {
  const site = await registerVerified(harness.testApp);
  const sara = await harness.newMember();
  await harness.link(site, sara);
  await giveStars(sara, 5);
  await sendAlbum(sara, await drawPhotos(2));
  await sara.choose(/Видео/, /Цена 2 звезды/);
  await sara.choose(/^Создать 2/, /Готово 0 из 2/);
  await sara.ask('/unlink', /Разорвать связь/);
  await sara.choose('Разорвать связь', /Связь разорвана/);
  await sara.waitFor(/эта партия и её результаты остались на сайте/);
  harness.letEngineFinish();
  const { db } = harness.testApp.app;
  await harness.waitUntil(async () =>
    expect((await db.batch.findFirstOrThrow({ where: { accountId: site.account.id } })).status).toBe('open'),
  );
  await harness.finishJobs();
  expect(countOf(sara, 'video')).toBe(0);
});

it('/batches opens a batch whose message was lost', async () => {
  const tina = await newSeller();
  harness.telegram.upset('sendMessage', { kind: 'hang_up' });
  await sendAlbum(tina, await drawPhotos(2));
  await tina.ask('/batches', /Ваши партии/);
  const opened = await tina.choose(/Telegram, .+ · 2 фото/, /Фото в партии: 2\.[\s\S]*Что сделать/);
  await tina.choose(/Видео/, /Цена 2 звезды/);
  expect(tina.messages().find(({ messageId }) => messageId === opened.messageId)?.text).toContain('Цена 2 звезды');
});
