import { describe, expect, it } from 'vitest';
import { unlinkTelegram } from '#api/services/account-lifecycle/link-telegram.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useBotHarness();

/** Somebody whose chat is linked with the site and makes a video; the number of the message that tells of it. */
async function whileMaking(): Promise<{ site: TestUser; chat: TelegramUser; statusId: number }> {
  const { app } = harness.testApp;
  const site = await registerVerified(harness.testApp);
  const chat = await harness.newMember();
  await linkChat(app, { accountId: site.account.id, chatId: chat.id });
  const { messageId: statusId } = await harness.startVideo(chat);
  return { site, chat, statusId };
}

async function expectToldNoMore({ site, chat, statusId }: Awaited<ReturnType<typeof whileMaking>>): Promise<void> {
  const { db } = harness.testApp.app;
  const closed = await chat.waitFor(/Видео\. Связь с сайтом разорвана: результат придёт только на сайт/);
  expect(closed).toMatchObject({ messageId: statusId, buttons: [] });
  await harness.waitUntil(async () => {
    expect(await db.telegramOrder.count({ where: { chatId: chat.id, toldAt: null } })).toBe(0);
  });
  harness.letEngineFinish();
  await harness.waitUntil(async () => {
    expect(await db.generation.count({ where: { accountId: site.account.id, status: 'completed' } })).toBe(1);
  });
  await harness.settle(chat);
  await harness.finishJobs();
  expect(chat.messages().some(({ kind }) => kind === 'video')).toBe(false);
  expect((await chat.waitFor(/Связь с сайтом разорвана/)).history.at(-1)).toBe(closed.history.at(-1));
}

describe('what is under way when a chat is parted from its account', () => {
  it('is warned of in the question, and its message is closed: the result comes to the site alone', async () => {
    const making = await whileMaking();
    await making.chat.ask('/unlink', /Разорвать связь[\s\S]*То, что сейчас создаётся, придёт только на сайт/);
    // It does not get through the first time.
    harness.telegram.upset('editMessageText', { kind: 'refuse', status: 502, description: 'Bad Gateway' });
    making.chat.press('Разорвать связь');
    await expectToldNoMore(making);
  });

  it('is shown no more where the site parts them', async () => {
    const making = await whileMaking();
    await unlinkTelegram(harness.testApp.app, making.site.account.id);
    await expectToldNoMore(making);
  });
});
