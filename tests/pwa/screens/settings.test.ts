// @vitest-environment happy-dom
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { getUser, type User } from '#shared/contract/account.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  type AccountSession,
  askEmailChange,
  cancelDeletion,
  changeName,
  changeNotificationSettings,
  changePassword,
  confirmEmailChange,
  endOneSession,
  endOtherSessions,
  getNotificationSettings,
  listSessions,
  requestDeletion,
} from '#shared/contract/settings.ts';
import { unlinkTelegram } from '#shared/contract/telegram.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  clean,
  closeScreen,
  letTimeBeSkipped,
  readText,
  untilDialogGone,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { DIALOG, HERE, NEVER_SEEN, openSettings, SETTINGS, UNLINKED } from '#tests/pwa/support/open-settings.ts';
import { USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const TOAST = '.toast';
const TABLET: AccountSession = {
  id: '2f8c3a52-0b7d-4e6f-8a91-2c3d4e5f6a7b',
  userAgent: 'Mozilla/5.0 (iPad) Version/19.0 Safari/604.1',
  isCurrent: false,
  ...NEVER_SEEN,
};
const LAPTOP: AccountSession = {
  id: '3f8c3a52-0b7d-4e6f-8a91-2c3d4e5f6a7b',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/145.0',
  isCurrent: false,
  ...NEVER_SEEN,
};

afterEach(closeScreen);

/** From now on the account looks so to whoever asks. */
function become(server: ContractServer, part: Partial<User>): User {
  const user = { ...USER, ...part };
  server.answer(getUser, user);
  return user;
}

test('the name is changed, in the header too, and stays so', async () => {
  const { server, fill, press, find, reload } = await openSettings((server) => {
    become(server, { firstName: null, lastName: null, username: 'anna' });
    server.answer(changeName, ({ body }) => become(server, { firstName: null, lastName: null, ...(body as object) }));
  });
  await untilShown('anna', 'header');
  const answer = server.hold(getUser);
  await fill('Имя пользователя', 'Вера');
  await press('button', 'Сохранить имя');
  await untilShown('Имя изменено', TOAST);
  await untilShown('Вера', 'header');
  expect(server.callsOf(changeName)).toMatchObject([{ body: { username: 'Вера' } }]);
  answer();
  await reload();
  await untilShown('Вера', 'header');
  expect((await find('field', 'Имя пользователя')).value).toBe('Вера');
});

test('one other session is ended, and then all others', async () => {
  let sessions = [HERE, TABLET, LAPTOP];
  const { server, press } = await openSettings((server) => {
    server.answer(listSessions, () => ({ sessions, chats: [] }));
    server.answer(endOneSession, undefined);
    server.answer(endOtherSessions, undefined);
  });
  await untilShown('Этот браузер');
  await untilShown('Firefox, Windows');
  sessions = [HERE, LAPTOP];
  await press('button', 'Завершить сеанс: Safari, iPad');
  await untilShown('Сеанс завершён', TOAST);
  await untilGone('Safari, iPad');
  await untilShown('Firefox, Windows');
  expect(server.callsOf(endOneSession).map(({ url }) => url.pathname)).toEqual([`/api/account/sessions/${TABLET.id}`]);
  expect(server.callsOf(endOtherSessions)).toHaveLength(0);
  sessions = [HERE];
  await press('button', 'Завершить остальные сеансы');
  await untilShown('Остальные сеансы завершены', TOAST);
  await untilGone('Firefox, Windows');
  await untilShown('Этот браузер');
  await untilGone('Завершить остальные сеансы');
  expect([server.callsOf(endOneSession), server.callsOf(endOtherSessions)].map(({ length }) => length)).toEqual([1, 1]);
});

const CHAT = { username: 'anna', firstName: 'Анна', linkedAt: '2026-11-01T10:00:00.000Z' };

test('a chat stands among the sessions and is parted there', async () => {
  let chats = [CHAT];
  const { server, press, find } = await openSettings((server) => {
    server.answer(listSessions, () => ({ sessions: [HERE], chats }));
    server.answer(unlinkTelegram, () => UNLINKED);
  });
  await untilShown('Чат Telegram @anna');
  await find('button', 'Завершить остальные и отключить чат');
  chats = [];
  await press('button', 'Отключить чат Telegram');
  await untilShown('Чат отключён', TOAST);
  await untilGone('Чат Telegram @anna');
  expect(server.callsOf(unlinkTelegram)).toHaveLength(1);
});

test('a new password parts the chat unless its owner ticks that it stays', async () => {
  const { server, fill, press, find } = await openSettings((server) => {
    server.answer(listSessions, () => ({ sessions: [HERE], chats: [CHAT] }));
    server.answer(changePassword, undefined);
  });
  const keeps = /^Оставить доступ чату Telegram/;
  for (const isKept of [false, true]) {
    expect((await find('checkbox', keeps)).checked).toBe(false);
    if (isKept) await press('checkbox', keeps);
    await fill('Текущий пароль', 'мой пароль');
    await fill('Новый пароль', 'новый-пароль');
    await press('button', 'Изменить пароль');
    await until(() => expect(server.callsOf(changePassword).at(-1)).toMatchObject({ body: { keepsChats: isKept } }));
    await until(async () => expect((await find('field', 'Новый пароль')).value).toBe(''));
  }
});

test('the password is changed by the current one, and the list of sessions is read again', async () => {
  let sessions = [HERE, TABLET];
  const { server, fill, press, find } = await openSettings((server) => {
    server.answer(listSessions, () => ({ sessions, chats: [] }));
    server.refuse(changePassword, 'wrong_password');
  });
  await untilShown('Safari, iPad');
  await fill('Текущий пароль', 'не тот пароль');
  await fill('Новый пароль', '12345');
  await press('button', 'Изменить пароль');
  await untilShown('Пароль должен быть не менее 6 символов');
  expect(server.callsOf(changePassword)).toHaveLength(0);
  await fill('Новый пароль', 'новый-пароль');
  await press('button', 'Изменить пароль');
  await untilShown('Неверный текущий пароль');
  await untilShown('Safari, iPad');
  server.answer(changePassword, undefined);
  sessions = [HERE];
  await fill('Текущий пароль', 'верный-пароль');
  await press('button', 'Изменить пароль');
  await untilShown('Пароль изменён', TOAST);
  await untilGone('Safari, iPad');
  await untilGone('Неверный текущий пароль');
  for (const label of ['Текущий пароль', 'Новый пароль']) expect((await find('field', label)).value).toBe('');
  expect(server.callsOf(changePassword).map(({ body }) => body)).toEqual([
    { currentPassword: 'не тот пароль', newPassword: 'новый-пароль', keepsChats: false },
    { currentPassword: 'верный-пароль', newPassword: 'новый-пароль', keepsChats: false },
  ]);
});

test('one of the commonest passwords is refused at the field of the new one', async () => {
  const { fill, press, find } = await openSettings((server) => server.refuse(changePassword, 'password_common'));
  await fill('Текущий пароль', 'верный-пароль');
  await fill('Новый пароль', 'qwerty123');
  await press('button', 'Изменить пароль');
  await untilShown(ERRORS.password_common.message);
  await until(async () => expect(document.activeElement).toBe(await find('field', 'Новый пароль')));
  expect((await find('field', 'Новый пароль')).getAttribute('aria-invalid')).toBe('true');
});

test('the mail about results is switched on and stays so, and goes back where the server refuses', async () => {
  const label = /^Письмо, когда результат готов/;
  const { server, find, press, reload } = await openSettings((server) => {
    server.answer(changeNotificationSettings, ({ body }) => {
      server.answer(getNotificationSettings, { mailsResults: false, ...(body as object) });
      return { mailsResults: false, ...(body as object) };
    });
  });
  const isChecked = async () => (await find('checkbox', label)).checked;
  expect(await isChecked()).toBe(false);
  await press('checkbox', label);
  await until(async () => expect(await isChecked()).toBe(true));
  await until(() =>
    expect(server.callsOf(changeNotificationSettings)).toMatchObject([{ body: { mailsResults: true } }]),
  );
  await reload();
  expect(await isChecked()).toBe(true);
  server.refuse(changeNotificationSettings, 'internal');
  await press('checkbox', label);
  await untilShown('Не удалось сохранить настройку', TOAST);
  await until(async () => expect(await isChecked()).toBe(true));
});

test('the account is asked to be deleted with the password, and taken back on another page', async () => {
  const { server, press, fill, find, go } = await openSettings((server) => {
    server.refuse(requestDeletion, 'wrong_password');
    server.answer(cancelDeletion, () => become(server, {}));
  });
  await untilRead(/через 30 дней.*Сначала скачайте свои данные\./, 'main');
  await press('button', 'Удалить аккаунт');
  await untilShown('Удалить аккаунт?', DIALOG);
  await untilShown('Неизрасходованные звёзды пропадут.', DIALOG);
  await fill('Пароль', 'не тот');
  await press('button', 'Удалить аккаунт', DIALOG);
  await untilShown('Неверный текущий пароль', DIALOG);
  server.answer(requestDeletion, () => become(server, { erasesAt: '2026-12-23T09:00:00.000Z' }));
  await fill('Пароль', 'верный');
  // A browser sends the form by Enter with the button that belongs to it.
  const [{ form }, send] = [await find('field', 'Пароль'), await find('button', 'Удалить аккаунт', DIALOG)];
  expect([send.getAttribute('type'), send.getAttribute('form')]).toEqual(['submit', form?.id]);
  await press('button', 'Удалить аккаунт', DIALOG);
  await untilDialogGone();
  expect(server.callsOf(requestDeletion).map(({ body }) => body)).toEqual([
    { password: 'не тот' },
    { password: 'верный' },
  ]);

  await untilRead(/Аккаунт будет удалён 23 декабря 2026 г\. До этого дня удаление можно отменить\./, 'main');
  await find('button', 'Отменить удаление', 'main section');
  await untilGone('Удалить аккаунт', 'main button');

  await go('/app');
  const banner = 'Аккаунт будет удалён 23 декабря 2026 г.';
  await untilShown(banner, 'main');
  await press('button', 'Отменить удаление');
  await untilShown('Удаление отменено', TOAST);
  await untilGone(banner, 'main');
  expect(server.callsOf(cancelDeletion)).toHaveLength(1);
  await go(SETTINGS);
  await untilShown('Удалить аккаунт', 'main button');
});

test('the e-mail is changed by the password and a code from the new address', async () => {
  const email = 'vera@example.com';
  const about = (address: string) => `${address}: с этим адресом вы входите, на него приходят письма.`;
  const { server, press, fill, find, reload } = await openSettings((server) => {
    server.refuse(askEmailChange, 'wrong_password');
    server.answer(confirmEmailChange, () => become(server, { email }));
  });
  await untilShown(about(USER.email));
  await fill('Новый email', email);
  await fill('Ваш пароль', 'не тот пароль');
  await press('button', 'Получить код');
  await untilShown('Неверный текущий пароль');
  server.answer(askEmailChange, undefined);
  await fill('Ваш пароль', 'верный-пароль');
  await press('button', 'Получить код');
  await untilShown('Код отправлен', TOAST);
  await untilShown(about(USER.email));
  expect(server.callsOf(askEmailChange).map(({ body }) => body)).toEqual([
    { email, currentPassword: 'не тот пароль' },
    { email, currentPassword: 'верный-пароль' },
  ]);
  // It is sent by itself once it is whole.
  await fill('Код из письма', 'k7xq2m');
  await untilShown('Email изменён', TOAST);
  expect(server.callsOf(confirmEmailChange)).toMatchObject([{ body: { code: 'K7XQ2M' } }]);
  await untilShown(about(email));
  await untilGone(about(USER.email));
  expect((await find('field', 'Новый email')).value).toBe('');
  await reload();
  await untilShown(about(email));
});

test('where the browser runs no worker, the settings say so and what helps', async () => {
  letTimeBeSkipped();
  blockWorkers();
  await openSettings();
  const words = 'Браузер не запустил фоновую часть сайта, без неё уведомления не приходят.';
  await untilShown('На этом устройстве');
  expect(readText('main')).not.toContain(words);
  await until(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(readText('main')).toContain(words);
  });
  expect(readText('main')).toContain('Откройте «Подиум» в обычном окне');
  expect(readText('main')).not.toContain('Проверяем, умеет ли');
});

/** The browser has push and allows it, and never registers a worker, as in a private window. */
function blockWorkers(): void {
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'granted' });
  const value = { ready: new Promise(() => {}), getRegistration: async () => undefined };
  Object.defineProperty(navigator, 'serviceWorker', {
    value: Object.assign(new EventTarget(), value),
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
}

test('the choice about cookies is opened again, says what holds, and what is chosen then holds', async () => {
  const { press, find, reload } = await openSettings(() => {}, SETTINGS, { consent: 'accepted' });
  const opener = await find('button', 'Настройки cookie', 'main section');
  expect(clean(opener.closest('section')?.textContent ?? '')).toContain('Статистика с номером аккаунта');
  await press('button', 'Настройки cookie', 'main section');
  await untilRead('Сейчас cookie приняты.', DIALOG);
  await press('button', 'Отклонить', DIALOG);
  await untilDialogGone();
  await reload();
  await press('button', 'Настройки cookie', 'main section');
  await untilRead('Сейчас cookie отклонены.', DIALOG);
  // It leaves nothing in the way.
  await press('button', 'Закрыть', DIALOG);
  await untilDialogGone();
  await press('button', 'Удалить аккаунт');
  await untilShown('Удалить аккаунт?', DIALOG);
});

test('the settings and the start page have the links of the footer, the tools do not', async () => {
  const { find, go } = await openSettings();
  const documentLink = 'Политика конфиденциальности';
  await find('link', documentLink, 'main footer');
  await go('/app');
  await untilShown('Здесь появятся ваши видео', 'main');
  await find('link', documentLink, 'main footer');
  await go('/dashboard/gallery');
  await untilShown('Галерея', 'h1');
  expect(readText('body')).not.toContain(documentLink);
});
