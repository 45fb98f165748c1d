// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readSessionTrace } from '#pwa/features/session/session-marker.ts';
import { getUser, login, logout, requestPasswordReset, resetPassword, sessionError } from '#shared/contract/account.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  MARKER_KEY,
  openScreen,
  readText,
  type Screen,
  untilAt,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const GALLERY = '/dashboard/gallery';
const TOAST = '.toast';
const PASSWORD = 'secret-1';
const MARKER = { userId: USER.id, name: 'Анна Ким' };

afterEach(closeScreen);

/** By the form of the page that is shown. */
async function signIn({ server, fill, press }: Screen): Promise<void> {
  server.answer(login, () => {
    server.answer(getUser, USER);
    server.answer(getStarBalance, { balance: 12 });
    return USER;
  });
  await fill('Email', USER.email);
  await fill('Пароль', PASSWORD);
  await press('button', 'Войти', 'form');
  await untilShown('Успешный вход', TOAST);
  expect(server.callsOf(login)).toMatchObject([{ body: { email: USER.email, password: PASSWORD } }]);
}

/** The server knows nobody any more. */
function endSession(server: ContractServer): void {
  server.refuse(getUser, 'unauthorized');
  server.refuse(getStarBalance, 'unauthorized');
  server.answer(sessionError, undefined);
}

/** The browser drops what the page has stored, and keeps the server's cookie. */
function dropStored(): void {
  localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: it is the server's.
  document.cookie = `${SIGNED_IN_COOKIE}=1; Path=/; Secure`;
}

const spoilMarker = () => localStorage.setItem(MARKER_KEY, '{"userId":');

test('a name that another tab has given the account is shown when this tab comes to the front', async () => {
  const { server } = await openScreen('/cases', { user: { ...USER, username: 'Анна' } });
  await untilShown('Анна', 'header');
  server.answer(getUser, { ...USER, username: 'Вера' });
  act(() => void dispatchEvent(new Event('visibilitychange')));
  await untilShown('Вера', 'header');
});

test('a protected page sends a visitor to sign in and back to where they were going', async () => {
  const screen = await openScreen('/dashboard/create-video', { user: null });
  await untilAt('/auth?next=%2Fdashboard%2Fcreate-video');
  await signIn(screen);
  await untilAt('/dashboard/create-video');
  expect(readSessionTrace()).toEqual(MARKER);
});

test('a session that ended is said once and leads to signing in, with the way back', async () => {
  const screen = await openScreen(GALLERY);
  await untilShown('Галерея', 'h1');
  endSession(screen.server);
  await screen.reload();
  await untilShown('Сессия завершена', TOAST);
  await untilShown('Вход в систему', 'h1');
  // The guard has led there first; what follows until all is closed must not take the way back away.
  await until(() => expect(localStorage.getItem(MARKER_KEY)).toBeNull());
  await untilAt('/auth?next=%2Fdashboard%2Fgallery');
  expect(screen.server.callsOf(sessionError)).toHaveLength(1);
  await signIn(screen);
  await untilAt(GALLERY);
});

test('a server that cannot say who is signed in is asked once for the whole page, and again when the window gets the focus', async () => {
  const { server } = await openScreen(GALLERY, { prepare: (answers) => answers.refuse(getUser, 'internal') });
  await untilShown('Галерея', 'h1');
  await until(() => expect(document.querySelector('header .bal')).not.toBeNull());
  expect(server.callsOf(getUser)).toHaveLength(1);
  server.answer(getUser, USER);
  const balances = server.callsOf(getStarBalance).length;
  window.dispatchEvent(new Event('focus'));
  await until(() => expect(server.callsOf(getUser)).toHaveLength(2));
  await until(() => expect(server.callsOf(getStarBalance)).toHaveLength(balances + 1));
});

test('an unreadable sign-in marker is restored by asking the server who is signed in', async () => {
  const { server, reload } = await openScreen(GALLERY);
  await untilShown('Галерея', 'h1');
  spoilMarker();
  const asked = server.callsOf(getUser).length;
  await reload();
  await untilShown('Галерея', 'h1');
  expect(server.callsOf(getUser)).toHaveLength(asked + 1);
  expect(JSON.parse(localStorage.getItem(MARKER_KEY) ?? 'null')).toEqual(MARKER);
  endSession(server);
  spoilMarker();
  await reload();
  await untilAt('/auth?next=%2Fdashboard%2Fgallery');
  await until(() => expect(localStorage.getItem(MARKER_KEY)).toBeNull());
});

test('who comes back after the browser has dropped what the page stored is still signed in, and asked for once', async () => {
  // The page does not give up waiting, after which it would offer to ask again.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const { server, reload, find } = await openScreen(GALLERY);
  await untilShown('Галерея', 'h1');
  const asked = server.callsOf(getUser).length;
  const answer = server.hold(getUser);
  dropStored();
  await reload();
  await until(() => expect(document.querySelector('nav[aria-label=Инструменты]')).not.toBeNull());
  await untilShown('Загрузка', 'header');
  await untilAt(GALLERY);
  answer();
  await untilShown('Галерея', 'h1');
  expect(JSON.parse(localStorage.getItem(MARKER_KEY) ?? 'null')).toEqual(MARKER);
  expect(server.callsOf(getUser)).toHaveLength(asked + 1);

  dropStored();
  await reload('/cases');
  await find('button', 'Выйти');
});

test('a sign-out that the server does not hear of holds on the device and is repeated', async () => {
  const { server, press, find, reload } = await openScreen('/app', { prepare: (server) => server.cut(logout) });
  await press('button', 'Выйти');
  await untilShown('Ошибка при выходе', TOAST);
  await untilAt('/auth');
  const words = 'Сервер ещё не подтвердил выход. Повторяем…';
  await untilShown(words, '[role=status]');
  await reload('/app');
  await untilShown('Вход в систему', 'h1');
  // Whatever the browser drops of what the page had stored.
  dropStored();
  await reload('/app');
  await untilShown('Вход в систему', 'h1');
  await reload('/cases');
  await find('link', 'Войти', 'header');
  await untilShown(words, '[role=status]');
  server.answer(logout, undefined);
  // The message stays for three seconds, so it must not come during the reload.
  const answer = server.hold(logout);
  await reload('/cases');
  await untilShown(words, '[role=status]');
  answer();
  await untilShown('Выход завершён', '[role=status]');
  expect(server.callsOf(logout).length).toBeGreaterThan(1);
  expect(document.cookie).toBe('');
  const { length } = server.callsOf(logout);
  await reload('/contacts');
  await find('link', 'Войти', 'header');
  expect(server.callsOf(logout)).toHaveLength(length);
});

test('the user is asked for once for a visitor of a protected page, who reads nothing about a session', async () => {
  const { server, press } = await openScreen('/app', { user: null });
  await untilShown('Вход в систему', 'h1');
  await untilAt('/auth?next=%2Fapp');
  // Before the page says that a session has ended, one call asks about it again and another one closes it. Both would
  // have been sent by the time that another page is there.
  await press('link', 'Кейсы', 'header');
  await untilAt('/cases');
  await untilGone('Вход в систему', 'h1');
  await until(() => expect(document.querySelector('main h1')).not.toBeNull());
  expect(server.callsOf(getUser)).toHaveLength(1);
  expect(server.callsOf(sessionError)).toHaveLength(0);
  await untilGone('Сессия завершена', TOAST);
});

test('a server that never says who is there is asked again by a press, and not waited for where the name is known', async () => {
  const limits: Array<() => void> = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const aborter = new AbortController();
    if (ms === 10_000) limits.push(() => aborter.abort(new DOMException('too late', 'TimeoutError')));
    return aborter.signal;
  });
  /** The time that a page gives the server is over, once it has asked. */
  const passLimit = async () => {
    await until(() => expect(limits.length).toBeGreaterThan(0));
    for (const reach of limits.splice(0)) reach();
  };
  const { server, press, reload } = await openScreen(GALLERY, { prepare: (server) => server.hold(getUser) });
  await passLimit();
  await untilShown('Галерея', 'h1');

  dropStored();
  await reload();
  await passLimit();
  await untilShown('Не удалось открыть аккаунт', 'h1');
  server.letAnswer(getUser);
  const asked = server.callsOf(getUser).length;
  await press('button', 'Повторить');
  await untilShown('Галерея', 'h1');
  expect(server.callsOf(getUser)).toHaveLength(asked + 1);
  expect(readSessionTrace()).toEqual(MARKER);
});

test('until the server has answered, the sidebar shows the known name and no number', async () => {
  // The page does not give up waiting, after which it would show the name too.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const unanswered = [getUser, getStarBalance];
  const { server } = await openScreen(GALLERY, { prepare: (server) => unanswered.map(server.hold) });
  await untilShown('Анна Ким', '.side');
  const side = () => document.querySelector('.side')?.textContent ?? '';
  expect(side()).not.toContain('Гость');
  expect(side()).not.toContain('звёзд');
  for (const endpoint of unanswered) server.letAnswer(endpoint);
  await untilShown('12 звёзд', '.side');
});

test('two presses at once sign in once', async () => {
  const { server, fill, pressTwice } = await openScreen('/auth', { user: null });
  server.answer(login, () => {
    server.answer(getUser, USER);
    return USER;
  });
  await fill('Email', USER.email);
  await fill('Пароль', PASSWORD);
  await pressTwice('button', 'Войти', 'form');
  await untilShown('Успешный вход', TOAST);
  expect(server.callsOf(login)).toHaveLength(1);
});

test('«Забыли пароль?» takes along what was typed and where the person was going, and leaves the refusal behind', async () => {
  const { fill, find, press } = await openScreen(`${GALLERY}?tab=video`, {
    user: null,
    prepare: (server) => {
      server.refuse(login, 'invalid_credentials');
      server.answer(requestPasswordReset, undefined);
      server.answer(resetPassword, () => {
        server.answer(getUser, USER);
        return USER;
      });
    },
  });
  await fill('Email', USER.email);
  await fill('Пароль', 'wrong-password');
  await press('button', 'Войти', 'form');
  await untilShown('Ошибка входа', TOAST);
  await press('link', 'Забыли пароль?');
  await until(async () => expect((await find('field', 'Email')).value).toBe(USER.email));
  expect(document.querySelector(TOAST)).toBeNull();
  const back = await find('link', 'Вернуться ко входу');
  expect(back.getAttribute('href')).toBe(`/auth?next=${encodeURIComponent(`${GALLERY}?tab=video`)}`);
  await press('button', 'Получить код');
  await fill('Код из письма', 'k7xq2m');
  await fill('Новый пароль', 'мокрый-зонтик');
  await press('button', 'Сохранить пароль');
  await untilAt(`${GALLERY}?tab=video`);
});

test('a wrong password is told once, and its field is marked until it is typed anew', async () => {
  const { server, fill, find, press } = await openScreen('/auth', {
    user: null,
    prepare: (server) => server.refuse(login, 'invalid_credentials'),
  });
  await fill('Email', 'nobody@example.com');
  await fill('Пароль', 'wrong-password');
  await press('button', 'Войти', 'form');
  await untilShown('Ошибка входа', TOAST);
  await untilShown('Неверный email или пароль', TOAST);
  expect(readText('body').split('Неверный email или пароль')).toHaveLength(2);
  await until(async () => expect((await find('field', 'Пароль')).getAttribute('aria-invalid')).toBe('true'));
  expect(server.callsOf(login)).toMatchObject([{ body: { email: 'nobody@example.com', password: 'wrong-password' } }]);
  expect(readSessionTrace()).not.toEqual(MARKER);
  await untilAt('/auth');
  await fill('Пароль', 'other-password');
  await until(async () => expect((await find('field', 'Пароль')).getAttribute('aria-invalid')).toBe('false'));
});
