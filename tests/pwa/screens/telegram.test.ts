// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import {
  changeTelegram,
  createTelegramLink,
  getTelegram,
  linkTelegram,
  partChatByLink,
  previewTelegramLink,
  type TelegramState,
  unlinkTelegram,
} from '#shared/contract/telegram.ts';
import {
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  untilAt,
  untilDialogGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { DIALOG, openSettings, SETTINGS, UNLINKED } from '#tests/pwa/support/open-settings.ts';
import { until } from '#tests/support/until.ts';

const TOAST = '.toast';
const LINKED: TelegramState = {
  botUsername: 'podium_bot',
  link: { username: 'anna', firstName: 'Анна', tellsResults: true },
};
const TOKEN = 'A1b2C3d4E5f6G7h8I9j0-_';

afterEach(closeScreen);

const tells = /^Присылать результаты в Telegram/;

test('Telegram is linked in another app, shown here without a reload, and parted again', async () => {
  letTimeBeSkipped();
  const address = `https://t.me/podium_bot?start=${TOKEN}`;
  const { server, press, fill, find, reload } = await openSettings((server) => {
    server.answer(createTelegramLink, { address, expiresAt: '2026-11-01T10:10:00.000Z' });
    server.answer(unlinkTelegram, () => UNLINKED);
    server.answer(changeTelegram, ({ body }) => {
      const state = {
        ...LINKED,
        link: { username: 'anna', firstName: 'Анна', ...(body as { tellsResults: boolean }) },
      };
      server.answer(getTelegram, state);
      return state;
    });
  });
  await press('button', 'Связать Telegram');
  await untilRead('Чат, в котором вы откроете ссылку и нажмёте «Связать», получит доступ к аккаунту', DIALOG);
  await fill('Пароль от аккаунта', 'мой пароль');
  await press('button', 'Получить ссылку', DIALOG);
  const opener = await find('link', 'Открыть @podium_bot');
  expect(opener.getAttribute('href')).toBe(address);
  // The person confirms in the bot meanwhile.
  server.answer(getTelegram, LINKED);
  await vi.advanceTimersByTimeAsync(3000);
  await untilShown('@anna (Анна)');
  expect((await find('checkbox', tells)).checked).toBe(true);
  expect(server.callsOf(createTelegramLink)).toMatchObject([{ body: { password: 'мой пароль' } }]);

  await press('checkbox', tells);
  await until(() => expect(server.callsOf(changeTelegram)).toMatchObject([{ body: { tellsResults: false } }]));
  await reload();
  expect((await find('checkbox', tells)).checked).toBe(false);
  await press('button', 'Разорвать связь с Telegram');
  await untilShown('Связь с Telegram разорвана', TOAST);
  await find('button', 'Связать Telegram');
  expect(server.callsOf(unlinkTelegram)).toHaveLength(1);
});

test('Telegram is linked from an address of the bot once its owner has given the password, and the address works once', async () => {
  const address = `${SETTINGS}?telegram=${TOKEN}`;
  const { server, press, fill, find, reload } = await openSettings((server) => {
    server.answer(previewTelegramLink, { username: 'anna', firstName: 'Анна' });
    server.refuse(linkTelegram, 'wrong_password');
  }, address);
  await untilShown('Связать Telegram?', DIALOG);
  await untilRead('Чат @anna (Анна) получит доступ к аккаунту', DIALOG);
  await press('button', 'Связать', DIALOG);
  await untilShown('Введите пароль', DIALOG);
  expect(server.callsOf(linkTelegram)).toHaveLength(0);
  await fill('Пароль от аккаунта', 'не тот');
  await press('button', 'Связать', DIALOG);
  await untilShown('Неверный текущий пароль', DIALOG);
  server.answer(linkTelegram, () => {
    server.answer(getTelegram, LINKED);
    return LINKED;
  });
  await fill('Пароль от аккаунта', 'мой пароль');
  await press('button', 'Связать', DIALOG);
  await untilShown('Telegram связан', TOAST);
  await untilDialogGone();
  await untilAt(SETTINGS);
  expect(server.callsOf(linkTelegram)).toMatchObject([
    { body: { token: TOKEN, password: 'не тот' } },
    { body: { token: TOKEN, password: 'мой пароль' } },
  ]);
  expect(server.callsOf(previewTelegramLink)[0]).toMatchObject({ body: { token: TOKEN } });

  server.refuse(previewTelegramLink, 'link_token_invalid');
  await reload(address);
  await untilRead('Ссылка устарела или уже использована', DIALOG);
  expect([...document.querySelectorAll(`${DIALOG} button`)].map(({ textContent }) => textContent)).not.toContain(
    'Связать',
  );
  await press('button', 'Закрыть', DIALOG);
  await untilDialogGone();
  expect((await find('checkbox', tells)).checked).toBe(true);
});

test('the mailed link shows who loses access, and only its button takes it', async () => {
  const address = `/chat-access?token=17.1.${'A'.repeat(43)}`;
  const { server, press } = await openScreen(address, {
    prepare: (server) => server.refuse(partChatByLink, 'parting_link_invalid'),
  });
  await untilShown('Отключить чат Telegram?');
  expect(server.callsOf(partChatByLink)).toHaveLength(0);
  await press('button', 'Отключить чат');
  await untilRead('Ссылка устарела или уже использована', 'body');
  server.answer(partChatByLink, undefined);
  await press('button', 'Отключить чат');
  await untilRead('У него больше нет доступа к аккаунту', 'body');
  expect(server.callsOf(partChatByLink)[0]).toMatchObject({ body: { token: `17.1.${'A'.repeat(43)}` } });
});
