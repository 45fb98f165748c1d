import { afterAll, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { createWebPushSender } from '#api/adapters/push/web-push-sender.ts';
import type { JobName, JobPayload } from '#api/queue/job-definitions.ts';
import { unlinkTelegram } from '#api/services/account-lifecycle/link-telegram.ts';
import { nameTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createFinding, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { type FakePushService, startFakePushService } from '#tests/support/fake-push-service.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';
import { readMails, registerVerified, type TestUser } from '#tests/support/users.ts';

let pushService: FakePushService;
const harness = useBotHarness(
  {},
  {
    async preparePush() {
      pushService = await startFakePushService();
      return createWebPushSender({
        vapid: { ...webPush.generateVAPIDKeys(), subject: 'mailto:push@podium.example' },
        hosts: [pushService.host],
        certificateAuthority: pushService.certificate,
      });
    },
  },
);
afterAll(() => pushService.close());

/** A person whose paid account on the site is linked with the chat and allows mails about results. */
async function linkedUser(): Promise<{ site: TestUser; chat: TelegramUser }> {
  const { app } = harness.testApp;
  const site = await registerVerified(harness.testApp);
  await app.db.account.update({ where: { id: site.account.id }, data: { mailsResults: true } });
  await createPayment(app.db, site.account.id);
  const chat = await harness.newMember();
  await linkChat(app, { accountId: site.account.id, chatId: chat.id });
  return { site, chat };
}

async function resultMails({ email }: TestUser) {
  const mails = await readMails(harness.testApp, email);
  return mails.filter(({ text }) => text?.includes('?generation='));
}

async function channelsOf({ account }: TestUser): Promise<string[]> {
  const where = { generation: { accountId: account.id } };
  const notices = await harness.testApp.app.db.notice.findMany({ where, orderBy: { createdAt: 'asc' } });
  return notices.map(({ channel }) => channel);
}

async function expectMail(site: TestUser, title: string): Promise<void> {
  await harness.waitUntil(async () => {
    expect((await resultMails(site)).map(({ subject }) => subject)).toEqual([expect.stringContaining(title)]);
  });
}

async function expectUnreachable(chat: TelegramUser): Promise<void> {
  const { unreachableAt } = await harness.testApp.app.db.telegramUser.findUniqueOrThrow({ where: { id: chat.id } });
  expect(unreachableAt).not.toBeNull();
}

describe('the end of what was started in the chat', () => {
  it('is announced by the browser too', async () => {
    const { site, chat } = await linkedUser();
    const subscription = pushService.subscribe();
    await harness.testApp.server.inject({
      method: 'POST',
      url: '/api/notifications/devices',
      payload: subscription,
      headers: { cookie: site.cookie },
    });
    await harness.startVideo(chat);
    harness.letEngineFinish();
    await chat.waitFor(/Видео готово/, { kind: 'video' });
    const shown = () => pushService.messages.filter(({ endpoint }) => endpoint === subscription.endpoint);
    await harness.waitUntil(async () => expect(shown()).toHaveLength(1));
    expect((await channelsOf(site)).toSorted()).toEqual(['push', 'telegram']);
  });

  it('is mailed once to a person who blocks the bot just before the result comes', async () => {
    const { site, chat } = await linkedUser();
    await harness.startVideo(chat);
    const description = 'Forbidden: bot was blocked by the user';
    harness.telegram.upset('sendVideo', { kind: 'refuse', status: 403, description });
    harness.letEngineFinish();
    await expectMail(site, 'Видео готово');
    expect(await channelsOf(site)).toEqual(['telegram', 'mail']);
    await expectUnreachable(chat);
  });

  it('is mailed once to a person who blocked the bot meanwhile, also when it is a failure', async () => {
    const { site, chat } = await linkedUser();
    await harness.startVideo(chat);
    harness.telegram.blockedBy.add(chat.id);
    harness.letEngineFail('photo_unsuitable');
    await expectMail(site, 'Видео не получилось');
    await expectUnreachable(chat);
  });

  it('is not sent to a chat that Telegram said is blocked, until its person is back', async () => {
    const { site, chat } = await linkedUser();
    await harness.startVideo(chat);
    const member = (status: string) => ({ user: { id: 123456, is_bot: true, first_name: 'Подиум' }, status });
    harness.telegram.push({
      my_chat_member: {
        chat: chat.chat,
        from: { id: chat.id, is_bot: false, first_name: 'Анна' },
        date: 1,
        old_chat_member: member('member'),
        new_chat_member: member('kicked'),
      },
    });
    await harness.settle(chat);
    harness.letEngineFinish();
    await harness.waitUntil(async () => expect(await resultMails(site)).toHaveLength(1));
    expect(await channelsOf(site)).toEqual(['mail']);
    expect(chat.messages().some(({ kind }) => kind === 'video')).toBe(false);
    await chat.ask('/balance', /На балансе/);
    harness.testApp.engine.behave({ say: 'running' });
    await harness.startVideo(chat);
    harness.letEngineFinish();
    // The missed video and the new one.
    await harness.waitUntil(async () => expect(chat.messages().filter(({ kind }) => kind === 'video')).toHaveLength(2));
    expect(await channelsOf(site)).toEqual(['mail', 'telegram']);
  });

  it('is said again where the message about it was deleted', async () => {
    const chat = await harness.newMember();
    await harness.startVideo(chat);
    const status = await chat.waitFor(/Прошло/);
    const { messages } = harness.telegram;
    messages.splice(
      messages.findIndex(({ messageId }) => messageId === status.messageId),
      1,
    );
    harness.letEngineFail('photo_unsuitable');
    await chat.waitFor(/Не получилось.* Звёзды вернулись/, { after: status.messageId });
  });

  it('goes to the account’s other channels when the chat was parted from it before it was sent', async () => {
    const { app } = harness.testApp;
    const { site, chat } = await linkedUser();
    const { generationId } = await createVideoResult(app, site.account.id);
    await unlinkTelegram(app, site.account.id);
    const job = { generationId, chatId: String(chat.id) };
    await app.db.$transaction((tx) => app.queue.send(tx, 'send-telegram-result', job));
    await harness.waitUntil(async () => expect(await resultMails(site)).toHaveLength(1));
    expect(chat.messages().some(({ kind }) => kind === 'video')).toBe(false);
  });
});

describe('a person who is gone is no reason to retry', () => {
  interface Told {
    chatId: number;
    accountId: number;
  }

  type Prepare<Name extends JobName> = (told: Told) => Promise<JobPayload<Name>>;

  const jobs: { [Name in JobName]?: Prepare<Name> } = {
    async 'send-telegram-result'({ chatId, accountId }) {
      const { generationId } = await createVideoResult(harness.testApp.app, accountId);
      // Whoever has paid gets the original, which needs no copy.
      await createPayment(harness.testApp.app.db, accountId);
      return { generationId, chatId: String(chatId) };
    },
    async 'tell-telegram-drift'({ chatId, accountId }) {
      const result = await createVideoResult(harness.testApp.app, accountId);
      await createFinding(harness.testApp.app, result);
      return { generationId: result.generationId, chatId: String(chatId) };
    },
    async 'tell-telegram-linked'({ chatId, accountId }) {
      return { accountId, chatId: String(chatId), stars: 0, takenGift: 0, endedGenerations: 0 };
    },
    async 'tell-telegram-purchase'({ chatId, accountId }) {
      const { db } = harness.testApp.app;
      const { id: paymentId } = await createPayment(db, accountId);
      const paid = {
        provider: TELEGRAM_STARS,
        providerPaymentId: nameTelegramPayment(chatId, 'charge'),
        currency: 'XTR',
      };
      await db.payment.update({ where: { id: paymentId }, data: paid });
      return { paymentId };
    },
    async 'tell-telegram-report'({ accountId }) {
      const { app } = harness.testApp;
      const { id: resultId, generationId } = await createVideoResult(app, accountId);
      const { id: reportId } = await app.db.resultReport.create({
        data: {
          resultId,
          generationId,
          accountId,
          reason: 'other',
          isUrgent: false,
          status: 'closed',
          decision: 'no_action',
          closedAt: new Date(),
        },
      });
      return { reportId };
    },
    async 'return-star-charge'({ chatId }) {
      return { telegramUserId: chatId, chargeId: `charge-of-${chatId}`, xtr: 250 };
    },
  };

  it.each(Object.keys(jobs) as JobName[])('for %s', async (name) => {
    const { app, database } = harness.testApp;
    const chat = await harness.newMember();
    const { id: accountId } = await harness.accountOf(chat);
    const payload = await jobs[name]?.({ chatId: chat.id, accountId });
    harness.telegram.blockedBy.add(chat.id);
    await app.db.$transaction((tx) => app.queue.send(tx, name, payload as JobPayload<typeof name>));
    await harness.waitUntil(async () => {
      const { rows } = await database.pool.query(
        'select state, retry_count from pgboss.job where name = $1 and data @> $2 order by created_on',
        [name, JSON.stringify(payload)],
      );
      expect(rows).toEqual([{ state: 'completed', retry_count: 0 }]);
    });
    await expectUnreachable(chat);
    if (name === 'return-star-charge') expect(harness.telegram.refundedCharges).toContain(`charge-of-${chat.id}`);
  });
});
