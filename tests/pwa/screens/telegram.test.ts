// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import {
  changeTelegram,
  createTelegramLink,
  getTelegram,
  linkTelegram,
  previewTelegramLink,
  type TelegramState,
  unlinkTelegram,
} from '#shared/contract/telegram.ts';
import { clean, closeScreen, letTimeBeSkipped, untilAt, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { DIALOG, openSettings, SETTINGS, UNLINKED, untilDialogGone } from '#tests/pwa/support/open-settings.ts';
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
  const { server, press, find, reload } = await openSettings((server) => {
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
  const opener = await find('link', 'Открыть @podium_bot');
  expect(opener.getAttribute('href')).toBe(address);
  // The person confirms in the bot meanwhile.
  server.answer(getTelegram, LINKED);
  await vi.advanceTimersByTimeAsync(3000);
  await untilShown('Анна, @anna');
  expect((await find('checkbox', tells)).checked).toBe(true);

  await press('checkbox', tells);
  await until(() => expect(server.callsOf(changeTelegram)).toMatchObject([{ body: { tellsResults: false } }]));
  await reload();
  expect((await find('checkbox', tells)).checked).toBe(false);
  await press('button', 'Разорвать связь с Telegram');
  await untilShown('Связь с Telegram разорвана', TOAST);
  await find('button', 'Связать Telegram');
  expect(server.callsOf(unlinkTelegram)).toHaveLength(1);
});

test('Telegram is linked from an address of the bot once its owner has said that it is theirs, and the address works once', async () => {
  const address = `${SETTINGS}?telegram=${TOKEN}`;
  const { server, press, find, reload } = await openSettings((server) => {
    server.answer(previewTelegramLink, { username: 'anna', firstName: 'Анна' });
    server.answer(linkTelegram, () => {
      server.answer(getTelegram, LINKED);
      return LINKED;
    });
  }, address);
  await untilShown('Связать Telegram?', DIALOG);
  await untilShown('Анна, @anna', DIALOG);
  expect(server.callsOf(linkTelegram)).toHaveLength(0);
  await press('button', 'Связать', DIALOG);
  await untilShown('Telegram связан', TOAST);
  await untilDialogGone();
  await untilAt(SETTINGS);
  expect(server.callsOf(linkTelegram)).toMatchObject([{ body: { token: TOKEN } }]);
  expect(server.callsOf(previewTelegramLink)[0]).toMatchObject({ body: { token: TOKEN } });

  server.refuse(previewTelegramLink, 'link_token_invalid');
  await reload(address);
  const refusal = 'Ссылка устарела или уже использована';
  await until(() => expect(clean(document.querySelector(DIALOG)?.textContent ?? '')).toContain(refusal));
  expect([...document.querySelectorAll(`${DIALOG} button`)].map(({ textContent }) => textContent)).not.toContain(
    'Связать',
  );
  await press('button', 'Закрыть', DIALOG);
  await untilDialogGone();
  expect((await find('checkbox', tells)).checked).toBe(true);
});
