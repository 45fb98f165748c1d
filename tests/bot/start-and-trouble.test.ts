import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBot } from '#bot/main.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createFakeTelegram, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { createTestApp } from '#tests/support/test-app.ts';

const harness = useBotHarness();

describe('at its start the bot', () => {
  it('sets its commands, its menu button and its description by itself', async () => {
    const call = (method: string) => harness.telegram.calls.find((one) => one.method === method)?.payload;
    await harness.waitUntil(async () => expect(call('setMyDescription')).toBeDefined());
    const commands = call('setMyCommands')?.commands as { command: string; description: string }[];
    const named = 'start help terms balance gallery settings link unlink paysupport delete'.split(' ');
    expect(commands.map(({ command }) => command)).toEqual(expect.arrayContaining(named));
    expect(commands.every(({ description }) => /[а-яё]/.test(description))).toBe(true);
    expect(call('setChatMenuButton')).toMatchObject({ menu_button: { type: 'commands' } });
  });

  it('answers every command of its list', async () => {
    const anna = await harness.newMember();
    const call = harness.telegram.calls.find(({ method }) => method === 'setMyCommands');
    const commands = (call?.payload.commands ?? []) as { command: string }[];
    for (const { command } of commands) {
      // Some say two things.
      await harness.settle(anna);
      const { text } = await anna.ask(`/${command}`, /./);
      expect(text, command).not.toMatch(/Такой команды нет|понимает фото и команды/);
    }
  });
});

describe('when Telegram is slow or answers nonsense', () => {
  it('what comes late is said once', async () => {
    const boris = await harness.newMember();
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    harness.telegram.upset('sendMessage', { kind: 'hold', until });
    await boris.ask('/balance', /На балансе/);
    letGo();
    await boris.waitFor(/Купить звезды/);
    expect(boris.messages().filter(({ text }) => text.startsWith('На балансе'))).toHaveLength(1);
  });

  it('updates that could not be asked for come afterwards', async () => {
    const clara = await harness.newMember();
    const conflict = 'Conflict: terminated by other getUpdates request';
    harness.telegram.upset('getUpdates', { kind: 'garble' });
    harness.telegram.upset('getUpdates', { kind: 'refuse', status: 502, description: 'Bad Gateway' });
    harness.telegram.upset('getUpdates', { kind: 'refuse', status: 409, description: conflict });
    await clara.ask('/balance', /Купить звезды/);
    await clara.ask('/help', /Как это работает/);
  });

  it('what cannot be stored as it came stops nobody', async () => {
    const [fanny, gala] = [await harness.newMember(), await harness.newMember()];
    fanny.pressData({ messageId: 1 }, 'a\0');
    fanny.say('привет \ud800');
    await fanny.waitForNotice(/больше не действует/);
    await fanny.waitFor(/понимает фото и команды/);
    await gala.ask('/help', /Как это работает/);
  });

  it('a question for a file that is answered with 429 is asked again', async () => {
    const dina = await harness.newMember();
    const description = 'Too Many Requests: retry after 1';
    harness.telegram.upset('getFile', { kind: 'refuse', status: 429, description, retryAfter: 1 });
    await harness.sendPhoto(dina);
    await harness.settle(dina);
    expect(dina.messages().filter(({ text }) => text.startsWith('Фото принято'))).toHaveLength(1);
  });

  it('an update that keeps failing is given up with a message, and the next one is processed', async () => {
    const emma = await harness.newMember();
    harness.telegram.upset('getFile', { kind: 'refuse', status: 500, description: 'Internal Server Error' }, 5);
    emma.sendPhoto(harness.photo);
    await emma.waitFor(/Что-то пошло не так на нашей стороне/);
    await emma.ask('/help', /Как это работает/);
  });
});

describe('the bot', () => {
  let telegram: FakeTelegram;
  beforeAll(async () => {
    telegram = await createFakeTelegram();
  });
  afterAll(() => telegram.close());

  it.each([
    ['a token', {}, /TELEGRAM_BOT_TOKEN is not set: the bot is off/],
    [
      'the right one',
      { TELEGRAM_BOT_TOKEN: '654321:another-token-of-a-telegram-bot' },
      /does not know TELEGRAM_BOT_TOKEN/,
    ],
  ])(
    'without %s says so and stays off',
    async (_what, env, words) => {
      const lines: string[] = [];
      const testApp = await createTestApp({
        env: { TELEGRAM_API_ROOT: telegram.apiRoot, ...env },
        onLogLine: (line) => lines.push(line),
      });
      const stop = await startBot(testApp.app);
      try {
        await vi.waitFor(() => expect(lines.join('\n')).toMatch(words), 60_000);
        expect(lines.join('\n')).not.toContain('another-token');
        expect(telegram.calls.filter(({ method }) => method !== 'getMe')).toEqual([]);
      } finally {
        await stop();
        await testApp.close();
      }
    },
    120_000,
  );
});
