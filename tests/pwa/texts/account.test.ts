// @vitest-environment happy-dom
import { expect, vi } from 'vitest';
import {
  getUser,
  getVerificationWait,
  login,
  logout,
  register,
  resendVerification,
  sessionError,
  verifyEmail,
} from '#shared/contract/account.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { BAD_GATEWAY } from '#tests/pwa/support/contract-server.ts';
import { describeTexts } from '#tests/pwa/support/literal-texts.ts';
import { openVerification } from '#tests/pwa/support/open-pages.ts';
import { MARKER_KEY, openScreen, readText, type Screen, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const HEADER = 'header';
const TOAST = '.toast';
const FORM = 'form';
const NEWCOMER = { ...USER, isEmailVerified: false };

describeTexts(import.meta.filename, {
  async 'the header of a visitor'({ see }) {
    await openScreen('/cases', { user: null });
    await see(HEADER, 'Кейсы', 'Помощь', 'Войти');
  },

  async 'the header while the server says who is there'({ see }) {
    const { server } = await openScreen('/cases', { prepare: (server) => server.hold(getUser) });
    await see(HEADER, 'Загрузка');
    server.letAnswer(getUser);
  },

  async 'the header of somebody who is signed in, and their sign-out'({ see }) {
    const { press, hover, server } = await openScreen('/app');
    await see(HEADER, 'Купить генерации', 'Выйти');
    // A page that is still being drawn scrolls, which removes a tip.
    await until(async () => {
      await hover('button', 'Выйти');
      await hover('link', '12 звёзд');
      await vi.waitFor(() => expect(readText('.tip')).not.toBe(''), { timeout: 2000 });
    });
    await see('.tip', 'Ваш баланс звезд');
    server.answer(logout, undefined);
    const answer = server.hold(logout);
    await press('button', 'Выйти');
    await see(HEADER, 'Выход...');
    answer();
    await see(TOAST, 'Выход из системы');
  },

  async 'a sign-out that the server does not confirm'({ see }) {
    const { press } = await openScreen('/app', { prepare: (server) => server.refuse(logout, 'internal') });
    await press('button', 'Выйти');
    await see(TOAST, 'Ошибка при выходе');
  },

  async 'the balance while it is not known'({ see }) {
    const { server } = await openScreen('/app', { prepare: (server) => server.hold(getStarBalance) });
    await see(`${HEADER} a[href="/stars"]`, 'Ваш баланс звезд');
    server.letAnswer(getStarBalance);
  },

  async 'somebody without any name'({ see }) {
    const nameless = { ...USER, firstName: null, lastName: null, email: '' };
    await openScreen('/app', { user: nameless });
    await see(HEADER, 'Пользователь');
    await see('.side', 'Гость');
  },

  async 'a balance that cannot be read'({ see }) {
    await openScreen('/app', { prepare: (server) => server.garble(getStarBalance, '') });
    await see(TOAST, 'Не удалось получить баланс звезд', 'Пустой ответ от сервера');
  },

  async 'a balance that makes no sense'({ see }) {
    await openScreen('/app', { prepare: (server) => server.garble(getStarBalance, '{"balance": "many"}') });
    await see(TOAST, 'Некорректный ответ от сервера');
  },

  async 'a session that has ended'({ see }) {
    await openScreen('/app', {
      prepare: (server) => {
        server.refuse(getStarBalance, 'unauthorized');
        server.refuse(getUser, 'unauthorized');
        server.answer(sessionError, undefined);
      },
    });
    await see(TOAST, 'Сессия завершена', 'Ваша сессия устарела, пожалуйста, войдите снова');
    await see('h1', 'Вход в систему');
    // The page ends the session a moment after it has said so.
    await until(() => expect(localStorage.getItem(MARKER_KEY)).toBeNull());
  },

  async 'a sign-in'({ see }) {
    const { press, fill, server } = await openSignIn('login');
    await see('h1', 'Вход в систему');
    await fill('Email', 'anna');
    await press('button', 'Войти');
    await see(FORM, 'Некорректный email', 'Введите пароль');
    server.garble(login, ...BAD_GATEWAY);
    await fill('Email', 'anna@example.com');
    await fill('Пароль', 'secret-1');
    await press('button', 'Войти');
    await see(TOAST, 'Ошибка входа', 'Ошибка при входе');
    server.answer(login, USER);
    server.answer(getUser, USER);
    await press('button', 'Войти');
    await see(TOAST, 'Успешный вход');
  },

  async 'a registration'({ see, seeAs }) {
    const { press, fill, server } = await openSignIn('register');
    await see('h1', 'Регистрация');
    await see('[role=tab]', 'Регистрация');
    await fill('Email', 'anna');
    await press('button', 'Зарегистрироваться');
    await see(FORM, 'Некорректный email', 'Необходимо согласиться с политикой конфиденциальности');
    await untilShown('Необходимо согласие на обработку персональных данных', FORM);
    await fill('Email', 'anna@example.com');
    await fill('Пароль', '12345');
    const text = 'Пароль должен быть не менее 6 символов';
    await seeAs(FORM, text, text);
    await fill('Пароль', 'secret-1');
    await press('checkbox', /^Мне есть 18 лет/);
    await press('checkbox', /^Даю согласие/);
    server.garble(register, ...BAD_GATEWAY);
    await press('button', 'Зарегистрироваться');
    await see(TOAST, 'Ошибка регистрации', 'Ошибка при регистрации');
    server.answer(register, { ...NEWCOMER, needEmailVerification: true, codeWasSent: true });
    server.answer(getUser, NEWCOMER);
    server.answer(getVerificationWait, { retryAfter: 60 });
    await press('button', 'Зарегистрироваться');
    await see(TOAST, 'Успешная регистрация');
    const hint = 'Требуется подтверждение email: проверьте почту и введите код';
    await seeAs(TOAST, 'Требуется подтверждение email', hint);
  },

  async 'a code that is mailed again'({ see }) {
    const { press, server } = await openVerification((server) => server.garble(resendVerification, ...BAD_GATEWAY));
    await press('button', 'Отправить код ещё раз');
    await see(TOAST, 'Ошибка отправки кода', 'Ошибка при отправке кода верификации');
    server.answer(resendVerification, undefined);
    await press('button', 'Отправить код ещё раз');
    await see(TOAST, 'Код отправлен');
  },

  async 'a code that is typed'({ see }) {
    const { key, fill, server } = await openVerification((server) => server.garble(verifyEmail, ...BAD_GATEWAY));
    await fill('Код подтверждения', 'AB1');
    await key('{Enter}');
    await see(TOAST, 'Введите полный код подтверждения');
    await fill('Код подтверждения', 'AB12CD');
    await see(TOAST, 'Ошибка подтверждения', 'Неверный код подтверждения');
    server.answer(verifyEmail, USER);
    await fill('Код подтверждения', 'AB12CE');
    await see(TOAST, 'Email подтвержден');
    await see(FORM, 'Email подтвержден');
  },

  async 'a code that the server refuses'({ see }) {
    const { fill } = await openVerification((server) => server.refuse(verifyEmail, 'invalid_code'));
    await fill('Код подтверждения', 'AB12CD');
    await see(TOAST, 'Неверный код подтверждения');
  },
});

function openSignIn(tab: 'login' | 'register'): Promise<Screen> {
  return openScreen(tab === 'login' ? '/auth' : '/auth?tab=register', { user: null });
}
