import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTelegramApi } from '#api/adapters/telegram/create-telegram-api.ts';
import { sendOnce } from '#bot/send-once.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const CHAT = 4_100;
let testApp: TestApp;
let telegram: FakeTelegram;
let untrusted: Server;
/** Accepts connections and never answers. */
let silent: ReturnType<typeof createTcpServer>;
const swallowed: Socket[] = [];
let causes = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  telegram = await createFakeTelegram();
  const { key, certificate } = await makeCertificate();
  untrusted = createServer({ key, cert: certificate }).listen(0, '127.0.0.1');
  silent = createTcpServer((socket) => swallowed.push(socket)).listen(0, '127.0.0.1');
  await Promise.all([once(untrusted, 'listening'), once(silent, 'listening')]);
});
afterAll(async () => {
  for (const socket of swallowed) socket.destroy();
  silent.close();
  untrusted.close();
  await telegram.close();
  await testApp.close();
});

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

function say(causeKey: string, apiRoot = telegram.apiRoot) {
  const api = createTelegramApi({ token: FAKE_TOKEN, apiRoot });
  return sendOnce(testApp.app, { causeKey, chatId: CHAT }, () => api.sendMessage(CHAT, causeKey));
}

const newCause = () => `test:${++causes}`;
const countSent = (text: string) => telegram.messages.filter((message) => message.text === text).length;

describe('a message', () => {
  it.each([
    ['that nobody answered', { kind: 'hang_up' } as const, 1],
    ['whose answer is an error of Telegram’s own', { kind: 'refuse', status: 500, description: 'Error' } as const, 0],
  ])('%s may have been sent: it is not sent again', async (_what, mishap, sent) => {
    const cause = newCause();
    telegram.upset('sendMessage', mishap);
    expect(await say(cause)).toBeNull();
    expect(await say(cause)).toBeNull();
    expect(countSent(cause)).toBe(sent);
  });

  it.each<[string, () => string]>([
    ['nobody listened', () => 'http://127.0.0.1:9'],
    ['the name is unknown', () => 'https://nobody.invalid'],
    ['the certificate is not trusted', () => `https://127.0.0.1:${portOf(untrusted)}`],
    ['the handshake failed', () => `https://127.0.0.1:${new URL(telegram.apiRoot).port}`],
    ['the handshake was not answered', () => `https://127.0.0.1:${portOf(silent)}`],
  ])('for which there was no connection, because %s, is sent at the repeat', async (_why, apiRoot) => {
    const cause = newCause();
    await expect(say(cause, apiRoot())).rejects.toThrow('Network request for');
    expect(await say(cause)).toMatchObject({ chat: { id: CHAT } });
    expect(countSent(cause)).toBe(1);
  });

  it('that Telegram wants much later is left to the caller at once', async () => {
    const cause = newCause();
    const description = 'Too Many Requests: retry after 60';
    telegram.upset('sendMessage', { kind: 'refuse', status: 429, description, retryAfter: 60 });
    const startedAt = Date.now();
    await expect(say(cause)).rejects.toMatchObject({ parameters: { retry_after: 60 } });
    // Half of the minute, however busy the machine is.
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    expect(await say(cause)).not.toBeNull();
  });
});
