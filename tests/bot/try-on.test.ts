import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';

const harness = useBotHarness();
const TRY_ON = '👗 Примерить';

beforeAll(() => {
  harness.testApp.engine.abilities.try_on = true;
});
afterAll(() => {
  harness.testApp.engine.abilities.try_on = null;
});

/** Sends a photo and waits for the question what to make of it. Returns the labels of the buttons. */
async function sendPhoto(user: TelegramUser, after = 0): Promise<{ labels: string[]; messageId: number }> {
  user.sendPhoto(harness.photo);
  const { buttons, messageId } = await user.waitFor(/Фото принято/, { after });
  return { labels: buttons.map(({ text }) => text), messageId };
}

/** A new member who has sent the garment and then the person. */
async function memberWithPair() {
  const member = await harness.newMember();
  const { messageId } = await sendPhoto(member);
  await sendPhoto(member, messageId);
  const { id: accountId } = await harness.accountOf(member);
  const [garment, user] = await harness.testApp.app.db.photo.findMany({
    where: { accountId },
    orderBy: { createdAt: 'asc' },
  });
  if (!garment || !user) throw new Error('a photo is missing');
  return { member, accountId, garment, user };
}

describe('a try-on', () => {
  it('takes the garment from the photo before, and comes back as one picture', async () => {
    const { member, accountId, garment, user } = await memberWithPair();
    await member.choose(
      TRY_ON,
      /вещь — с первого фото, человек — со второго[\s\S]*Цена 1 звезда[\s\S]*останется 1 звезда/,
    );
    await member.choose('Низ', /Что за вещь: низ/);
    harness.letEngineHandInPictures(1);
    await member.choose(/Создать за/, /Примерка готова/, { kind: 'photo' });
    const { db } = harness.testApp.app;
    const generation = await db.generation.findFirstOrThrow({
      where: { accountId },
      include: { inputs: { orderBy: { position: 'asc' } } },
    });
    expect(generation).toMatchObject({ kind: 'try_on', settings: { category: 'bottoms' } });
    expect(generation.inputs).toMatchObject([
      { role: 'subject', photoId: garment.id },
      { role: 'person', photoId: user.id },
    ]);
    expect((await harness.accountOf(member)).starBalance).toBe(1);
    await member.choose('Ещё раз', /вещь — с первого фото[\s\S]*Что за вещь: низ/);
  });

  it('can be made the other way round, when the person came first', async () => {
    const { member, accountId, garment, user } = await memberWithPair();
    await member.choose(TRY_ON, /вещь — с первого фото/);
    await member.choose(/наоборот/, /вещь — со второго фото, человек — с первого/);
    await member.choose(/Создать за/, /Прошло/);
    const inputs = await harness.testApp.app.db.generationInput.findMany({
      where: { generation: { accountId } },
      orderBy: { position: 'asc' },
    });
    expect(inputs.map(({ photoId }) => photoId)).toEqual([user.id, garment.id]);
  });

  it('asks for the photo of a person after the first photo', async () => {
    const member = await harness.newMember();
    await sendPhoto(member);
    await member.choose(TRY_ON, /следующим сообщением фото человека/);
    await member.choose('‹ Назад', /Фото принято/);
  });

  it('is named in the help with its price', async () => {
    const member = await harness.newMember();
    const { text } = await member.ask('/help', /Как это работает/);
    expect(text).toContain('примерка — 1 звезда');
    expect(text).toContain('пришлите два фото подряд');
  });
});

describe('a photo of somebody else', () => {
  it('cannot be tried on, whatever a button says', async () => {
    const { member } = await memberWithPair();
    const stranger = await harness.newMember();
    const menu = await member.choose(TRY_ON, /вещь — с первого фото/);
    const go = menu.buttons.find(({ text }) => text.startsWith('Создать'))?.callback_data ?? '';
    stranger.pressData({ messageId: 1 }, go);
    await stranger.waitForNotice(/Этого фото больше нет/);
    expect((await harness.accountOf(stranger)).starBalance).toBe(2);
  });
});

describe('an engine that tries nothing on', () => {
  it('has no button for it, and refuses one of an earlier day', async () => {
    const { member } = await memberWithPair();
    const menu = await member.choose(TRY_ON, /вещь — с первого фото/);
    harness.testApp.engine.abilities.try_on = null;
    try {
      const { labels } = await sendPhoto(member, menu.messageId);
      expect(labels).toEqual(['🧍 Сменить модель', '🎬 Видео', '📸 Фотосессия']);
      member.press('Верх');
      await member.waitForNotice(/сейчас не предлагается/);
      member.press(/Создать за/);
      await harness.settle(member);
      expect((await harness.accountOf(member)).starBalance).toBe(2);
    } finally {
      harness.testApp.engine.abilities.try_on = true;
    }
  });
});

describe('a batch', () => {
  it('is tried on the person of the photo sent before the album, which is asked for where there is none', async () => {
    const member = await harness.newMember();
    const photos = await Promise.all(
      [400, 401, 402].map((width) => drawProductPhoto('garment', { width, height: 500 })),
    );
    for (const photo of photos.slice(1)) member.sendPhoto(photo, { media_group_id: 'garments' });
    await member.waitFor(/Фото в партии: 2\./);
    member.press(TRY_ON);
    await member.waitForNotice(/сначала пришлите отдельным сообщением фото человека/);
    const other = await harness.newMember();
    await harness.sendPhoto(other, photos[0]);
    for (const photo of photos.slice(1)) other.sendPhoto(photo, { media_group_id: 'more garments' });
    await other.waitFor(/Фото в партии: 2\./);
    await other.choose(TRY_ON, /Примерка\. Что за вещь: определим по фото[\s\S]*Человек — с фото/);
    await other.choose('Верх', /Что за вещь: верх/);
    const { id: accountId } = await harness.accountOf(other);
    const batch = await harness.testApp.app.db.batch.findFirstOrThrow({
      where: { accountId },
      include: { rows: true },
    });
    expect(batch.personPhotoId).not.toBeNull();
    expect(batch.rows.map(({ photoId }) => photoId)).not.toContain(batch.personPhotoId);
    await other.choose('Создать 2 за 2 звезды', /Готово 0 из 2/);
  });
});
