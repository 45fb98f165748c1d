import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveTelegramUpdates } from '#api/services/chat/updates.ts';
import { telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';

const SECRET = 'a-secret-that-only-telegram-knows';
const harness = useBotHarness({ PUBLIC_URL: 'https://podium.example', TELEGRAM_WEBHOOK_SECRET: SECRET });

beforeAll(async () => {
  // Telegram calls the public address. The test's address leads directly to the server.
  const { server } = harness.testApp;
  server.server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  await harness.waitUntil(async () => expect(harness.telegram.webhook).not.toBeNull());
  const { port } = server.server.address() as AddressInfo;
  const { url = '', secretToken = '' } = harness.telegram.webhook ?? {};
  harness.telegram.webhook = { url: url.replace('https://podium.example', `http://127.0.0.1:${port}`), secretToken };
});
afterAll(() => harness.testApp.server.server.close());

it('the bot tells Telegram a secret address and a secret, and a conversation comes that way', async () => {
  const { webhook } = harness.telegram;
  expect(webhook?.secretToken).toBe(SECRET);
  expect(webhook?.url).toMatch(/\/api\/telegram\/webhook\/[0-9a-f]{32}$/);
  expect(webhook?.url).not.toContain(SECRET);
  const anna = await harness.newMember();
  await harness.openVideoMenu(anna);
  harness.letEngineFinish();
  const video = await anna.choose(/Создать за/, /Видео готово/, { kind: 'video' });
  expect(video.buttons.find(({ text }) => text === 'Открыть на сайте')?.url).toMatch(
    /^https:\/\/podium.example\/dashboard\/create-video\?/,
  );
});

it('a caller without the secret is refused, and nothing is recorded', async () => {
  const { app, server } = harness.testApp;
  const payload = { update_id: 1, message: { message_id: 1, date: 1, chat: { id: 1, type: 'private' }, text: 'a' } };
  const url = telegramWebhookPath(app.config);
  const without = await server.inject({ method: 'POST', url, payload });
  const headers = { 'x-telegram-bot-api-secret-token': 'guess' };
  const wrong = await server.inject({ method: 'POST', url, payload, headers });
  expect([without.statusCode, wrong.statusCode]).toEqual([401, 401]);
  expect(await app.db.telegramUpdate.count({ where: { id: 1 } })).toBe(0);
});

it('a body that is no update is refused with a code, and an update without a person is ignored', async () => {
  const { app, server } = harness.testApp;
  const headers = { 'x-telegram-bot-api-secret-token': SECRET, 'content-type': 'application/json' };
  const post = async (payload: string) => {
    const answer = await server.inject({ method: 'POST', url: telegramWebhookPath(app.config), headers, payload });
    return [answer.statusCode, answer.body === '' ? null : answer.json().code];
  };
  for (const body of ['', '[]', 'null', '{}', '5', '"a"', '{', '{"update_id":"7"}', '{"update_id":1e30}']) {
    expect(await post(body), body).toEqual([400, 'invalid_request']);
  }
  for (const rest of ['"message":null', '"message":{"chat":{"id":"a"}}', '"callback_query":{}', '"message":5']) {
    expect(await post(`{"update_id":990001,${rest}}`), rest).toEqual([200, null]);
  }
  expect(await app.db.telegramUpdate.count({ where: { id: 990_001 } })).toBe(0);
});

it('a NUL does not make Telegram retry for ever', async () => {
  const clara = await harness.newMember();
  clara.pressData({ messageId: 1 }, 'a\0');
  await clara.ask('/help', /Как это работает/);
  await harness.settle(clara);
});

it('the same update sent ten times at once is processed once', async () => {
  const boris = await harness.newMember();
  const { app } = harness.testApp;
  const update_id = 900_000 + boris.id;
  const message = {
    message_id: 9,
    date: 1,
    chat: boris.chat,
    from: { id: boris.id, is_bot: false, first_name: 'Анна' },
    text: 'привет',
  };
  await Promise.all(Array.from({ length: 10 }, () => receiveTelegramUpdates(app, [{ update_id, message }])));
  await boris.waitFor(/понимает фото и команды/);
  await harness.settle(boris);
  expect(boris.messages().filter(({ text }) => text.startsWith('Бот понимает'))).toHaveLength(1);
});
