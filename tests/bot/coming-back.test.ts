import { Api } from 'grammy';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeOrder, findOrder, followInChat } from '#api/services/chat/orders.ts';
import { createUpdateHandler } from '#bot/create-update-handler.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { createAccount, createVideoResult } from '#tests/support/factories.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let telegram: FakeTelegram;
beforeAll(async () => {
  telegram = await createFakeTelegram();
});
afterAll(async () => {
  await telegram.close();
});

// The embedded database has one connection, so the two never overlap there.
const itOnServer = it.runIf(process.env.TEST_DATABASE_URL);

itOnServer(
  'a result whose order is closed at the very moment when its person is back comes to the chat, like what was missed',
  async () => {
    const { app, database } = testApp;
    const chatId = 7_100;
    const { id: accountId } = await createAccount(app);
    await app.db.telegramUser.create({ data: { id: chatId, accountId, unreachableAt: new Date(Date.now() - 60_000) } });
    const { generationId: missedId } = await createVideoResult(app, accountId);
    await followInChat(app, { generationId: missedId, chatId, messageId: 1 });
    await app.db.telegramOrder.update({ where: { generationId: missedId }, data: { toldAt: new Date() } });
    const { generationId } = await createVideoResult(app, accountId);
    await followInChat(app, { generationId, chatId, messageId: 2 });
    const order = await findOrder(app, generationId);
    if (!order) throw new Error('it is not followed');

    const api = new Api(FAKE_TOKEN, { apiRoot: telegram.apiRoot });
    const { handle } = createUpdateHandler(app, api, await api.getMe());
    const from = { id: chatId, is_bot: false, first_name: 'Анна' };
    const chat = { id: chatId, type: 'private', first_name: 'Анна' } as const;
    let both: Promise<unknown> | null = null;
    // Holds up the return where it comes to what was missed: the other is closed in the middle of it.
    await app.db.$transaction(async (tx) => {
      await tx.$executeRaw`select from telegram_orders where generation_id = ${missedId}::uuid for update`;
      const message = { message_id: 3, date: 1, chat, from, text: 'привет' };
      const back = handle({ update_id: 1, message }, (waiting) => waiting());
      await until(async () => expect(await countLockWaits(database)).toBe(1));
      let isClosed = false;
      const closed = closeOrder(app, order).then(() => (isClosed = true));
      both = Promise.all([back, closed]);
      await until(async () => expect(isClosed || (await countLockWaits(database)) > 1).toBe(true));
    });
    await both;
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT data->>'generationId' AS id FROM pgboss.job WHERE name = 'send-telegram-result'`,
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([missedId, generationId].toSorted());
  },
);
