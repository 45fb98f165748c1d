// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import {
  correctEmail,
  getUser,
  getVerificationWait,
  register,
  resendVerification,
  verifyEmail,
} from '#shared/contract/account.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { openVerification } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  openScreen,
  readButton,
  readText,
  type Screen,
  untilAt,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const VERSION = DOCUMENTS_VERSION;
const MISTYPED = 'anna@exmaple.com';
const TOAST = '.toast';
const PASSWORD = 'secret-1';

afterEach(closeScreen);

/** The form is filled, and the server takes it. */
async function fillForm(codeWasSent = true): Promise<Screen> {
  const newcomer = { ...USER, email: MISTYPED, isEmailVerified: false };
  const screen = await openScreen('/auth?tab=register', {
    user: null,
    prepare: (server) => {
      server.answer(register, () => {
        server.answer(getUser, newcomer);
        return { ...newcomer, needEmailVerification: true, codeWasSent };
      });
      server.answer(getVerificationWait, { retryAfter: codeWasSent ? 60 : 0 });
    },
  });
  await screen.fill('Email', MISTYPED);
  await screen.fill('Пароль', PASSWORD);
  await screen.press('checkbox', /^Мне есть 18 лет/);
  await screen.press('checkbox', /^Даю согласие/);
  return screen;
}

test('a mistyped e-mail is corrected at once where its code is asked for; the wait for another code outlives a reload', async () => {
  const { server, press, find, fill, reload } = await fillForm();
  await press('button', 'Зарегистрироваться');
  await untilAt('/verify-email');
  await until(async () => expect(document.activeElement).toBe(await find('field', 'Код подтверждения')));
  await press('button', 'Изменить email');
  // The address that has its code already waits for another one, and no other does.
  await until(() => expect(readButton(/^Отправить код(?! ещё)/, 'form').disabled).toBe(true));
  await fill('Новый email', 'не адрес');
  await press('button', 'Отправить код', 'form');
  await untilShown('Некорректный email', 'form');
  expect(server.callsOf(correctEmail)).toHaveLength(0);
  server.answer(correctEmail, ({ body }) => {
    const corrected = { ...USER, ...(body as { email: string }), isEmailVerified: false };
    server.answer(getUser, corrected);
    return corrected;
  });
  await fill('Новый email', USER.email);
  await press('button', 'Отправить код', 'form');
  await untilShown(USER.email, 'main');
  await untilGone(MISTYPED, 'main');
  expect(server.callsOf(correctEmail)).toMatchObject([{ body: { email: USER.email } }]);

  const expectWait = () =>
    until(() => {
      const resend = readButton(/^Отправить код ещё раз/);
      expect([resend.textContent, resend.disabled]).toEqual([expect.stringMatching(/\d:\d\d/), true]);
    });
  await expectWait();
  // The device remembers the wait, whatever the server says; a tab that knows of no mail is told by the server.
  server.answer(getVerificationWait, { retryAfter: 60 });
  const answer = server.hold(getVerificationWait);
  await reload();
  await expectWait();
  answer();
  sessionStorage.clear();
  await reload();
  await expectWait();

  server.answer(verifyEmail, USER);
  await fill('Код подтверждения', 'k7xq2m');
  await untilShown('Email подтвержден', TOAST);
  expect(server.callsOf(verifyEmail)).toMatchObject([{ body: { verificationCode: 'K7XQ2M' } }]);
  await untilAt('/app');
});

test('whoever gets no sign-up stars reads why before the page goes on', async () => {
  const { server, fill, press } = await openVerification((server) =>
    server.answer(verifyEmail, { ...USER, signupStarsRefused: 'mailbox' }),
  );
  await fill('Код подтверждения', 'k7xq2m');
  await untilShown('Без подарочных звёзд');
  await untilRead('Подарочные звёзды даются один раз на почтовый ящик', 'body');
  expect(server.callsOf(verifyEmail)).toHaveLength(1);
  await press('button', 'Понятно');
  await untilAt('/app');
});

test('a code whose mail failed is not said to be sent, also after a reload, and is sent again at once', async () => {
  const { server, press, reload } = await fillForm(false);
  await press('button', 'Зарегистрироваться');
  const hint = 'Требуется подтверждение email, но письмо с кодом отправить не удалось. Отправьте код ещё раз';
  await untilShown(hint, TOAST);
  await untilAt('/verify-email');
  const unsent = 'Письмо не отправлено. Отправьте код ещё раз на адрес';
  await untilShown(unsent, 'main');
  await reload();
  await untilShown(unsent, 'main');
  server.answer(resendVerification, undefined);
  await press('button', 'Отправить код ещё раз');
  await untilShown('Мы отправили код из 6 символов на адрес', 'main');
  await untilGone(unsent, 'main');
});

test('one of the commonest passwords is refused at its field alone, where another one is typed', async () => {
  const { server, press, find, fill } = await fillForm();
  const { message } = ERRORS.password_common;
  server.refuse(register, 'password_common');
  await press('button', 'Зарегистрироваться');
  await untilShown(message, 'form');
  const field = await find('field', 'Пароль');
  await until(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(readText('form').split(message)).toHaveLength(2);
  expect(document.querySelector(TOAST)).toBeNull();
  await fill('Пароль', 'мокрый-зонтик');
  await untilGone(message, 'form');
});

test('a taken address is told once, with the ways into its account', async () => {
  const { server, press, find } = await fillForm();
  server.refuse(register, 'email_taken');
  await press('button', 'Зарегистрироваться');
  const { message } = ERRORS.email_taken;
  await untilShown(message, TOAST);
  expect(readText('body').split(message)).toHaveLength(2);
  await until(async () => expect((await find('field', 'Email')).getAttribute('aria-invalid')).toBe('true'));
  expect((await find('link', 'восстановить пароль', 'form')).getAttribute('href')).toBe('/auth/reset');
  await find('button', 'Войти с этим email', 'form');
});

test('two presses at once register one account', async () => {
  const { server, pressTwice } = await fillForm();
  await pressTwice('button', 'Зарегистрироваться');
  await untilAt('/verify-email');
  await untilShown('Успешная регистрация', TOAST);
  expect(server.callsOf(register).map(({ body }) => body)).toEqual([
    { email: MISTYPED, password: PASSWORD, consentVersion: VERSION },
  ]);
  expect(readText('body')).not.toContain('Ошибка регистрации');
});

test('two presses at once mail one more code', async () => {
  const { server, pressTwice } = await openVerification((server) => server.answer(resendVerification, undefined));
  await pressTwice('button', 'Отправить код ещё раз');
  await untilShown('Новый код отправлен на ваш email', TOAST);
  expect(server.callsOf(resendVerification)).toHaveLength(1);
});

test('a pasted code replaces what was typed and is sent by itself; the last tries are counted, and a new code ends that', async () => {
  const refuse = (attemptsLeft: number) => server.refuse(verifyEmail, 'invalid_code', { attemptsLeft });
  const { server, press, find, key } = await openVerification((server) => server.answer(resendVerification, undefined));
  const field = await find('field', 'Код подтверждения');
  const untilSaid = (words: string) => untilShown(words, 'form');
  const paste = (text: string) => act(async () => fireEvent.paste(field, { clipboardData: { getData: () => text } }));
  await press('field', 'Код подтверждения');
  await key('QWE');
  refuse(2);
  await paste('Подтвердите email\n\nK7XQ2M\n\nВведите этот код');
  expect(field.value).toBe('K7XQ2M');
  await untilSaid('Осталось 2 попытки');
  expect(readButton('Подтвердить').disabled).toBe(true);
  expect(document.activeElement).toBe(field);
  // The refused code is selected: the next one is typed over it.
  refuse(1);
  await key('abcdef');
  await untilSaid('Осталась 1 попытка');
  refuse(0);
  await paste('ABCDEG');
  await untilSaid('Попыток больше нет: запросите новый код');
  // The toast says why, and the field what is left.
  expect(readText(TOAST)).toContain('Неверный код подтверждения');
  expect(readText(TOAST)).not.toContain('Попыток');
  expect(server.callsOf(verifyEmail).map(({ body }) => body)).toEqual(
    ['K7XQ2M', 'ABCDEF', 'ABCDEG'].map((verificationCode) => expect.objectContaining({ verificationCode })),
  );
  await press('button', 'Отправить код ещё раз');
  await untilShown('Новый код отправлен на ваш email', TOAST);
  await until(() => expect(field.value).toBe(''));
  await until(() => expect(field.getAttribute('aria-invalid')).toBe('false'));
});
