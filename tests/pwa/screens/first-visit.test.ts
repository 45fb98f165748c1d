// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readStored } from '#pwa/device/storage.ts';
import { CONSENT_KEY } from '#pwa/features/consent/consent-storage.ts';
import { writeSessionMarker } from '#pwa/features/session/session-marker.ts';
import { getUser } from '#shared/contract/account.ts';
import { listResults } from '#shared/contract/gallery.ts';
import { requestInterview, takeInterviewInvitation } from '#shared/contract/interview.ts';
import { cancelDeletion } from '#shared/contract/settings.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  readText,
  untilAt,
  untilDialogGone,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { sampleImage, sampleResults, USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const FOOTER = 'footer';
const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const OFFER = 'Попробовать на примере';
const QUESTION = 'section[aria-label="Файлы cookie"]';

afterEach(closeScreen);

test('the footer leads to the legal pages and the company', async () => {
  const { find } = await openScreen('/contacts', { user: null });
  for (const [name, path] of [
    ['Политика конфиденциальности', '/privacy-policy'],
    ['Пользовательское соглашение', '/terms-of-service'],
    ['Оплата и возврат', '/payment-policy'],
    ['Контакты', '/contacts'],
    ['О компании', '/company-info'],
  ] as const) {
    expect((await find('link', name, FOOTER)).getAttribute('href'), name).toBe(path);
  }
  expect(readText(FOOTER)).toContain(`© ${new Date().getFullYear()}`);
});

test('a signed-in person goes on from the landing to the app, and elsewhere is not asked to sign in', async () => {
  const { go, find } = await openScreen('/');
  await untilAt('/app');
  await go('/cases');
  await untilShown('Кейсы', 'h1');
  await find('button', 'Выйти');
  expect(readText('header')).not.toContain('Войти');
});

test('from the public pages who is signed in comes back to the app, and only who is signed in', async () => {
  const { server, press, find, reload } = await openScreen('/cases', { user: null });
  const back = 'В приложение';
  await find('link', 'Войти', 'header');
  expect(readText('body')).not.toContain(back);
  server.answer(getUser, USER);
  writeSessionMarker({ userId: USER.id, name: 'Анна Ким' });
  for (const path of ['/cases', '/payment/fail', '/payment/success', '/contacts']) {
    await reload(path);
    await press('link', back, 'header');
    await untilAt('/app');
    await untilGone(back);
  }
});

test('the sample sent away stays away', async () => {
  const { server, find, key, reload } = await openScreen('/app', { prepare: oneNewcomer });
  await find('link', OFFER);
  (await find('button', 'Скрыть предложение')).focus();
  await key('{Enter}');
  await untilGone(OFFER);
  await reload();
  await untilWholeHome(server, 2);
  expect(readText(MAIN)).not.toContain(OFFER);
});

test('a person who has made something, or has no stars, is offered no sample', async () => {
  const { server, reload, find } = await openScreen('/app', {
    prepare(server) {
      oneNewcomer(server);
      server.answer(listResults, sampleResults([sampleImage({ title: 'Платье' })]));
    },
  });
  await find('link', /^Платье/);
  expect(readText(MAIN)).not.toContain(OFFER);
  oneNewcomer(server);
  server.answer(getStarBalance, { balance: 0 });
  await reload();
  await untilWholeHome(server, 2);
  expect(readText('header .bal')).toMatch(/^0/);
  expect(readText(MAIN)).not.toContain(OFFER);
  // All the others are.
  server.answer(getStarBalance, { balance: 2 });
  await reload();
  await find('link', OFFER);
  expect(readText('[aria-label=Пример]')).toMatch(/Спишется 1 звезда из 2 подаренных/);
});

test('the question about cookies comes after a second, is not asked again once answered, and asked again after being closed', async () => {
  letTimeBeSkipped();
  const { find, press, reload } = await openScreen('/cases', { user: null, consent: null });
  await untilAsked();
  const details = await find('link', 'политике конфиденциальности', QUESTION);
  expect([details.getAttribute('href'), details.getAttribute('target')]).toEqual(['/privacy-policy', '_blank']);
  await press('button', 'Закрыть', QUESTION);
  await until(() => expect(isAsked()).toBe(false));
  await reload();
  await expectNoQuestion();

  // Another visit.
  sessionStorage.clear();
  await reload();
  await untilAsked();
  await press('button', 'Принять', QUESTION);
  await until(() => expect(isAsked()).toBe(false));
  await until(async () => expect(await readConsent()).toBe('accepted'));
  sessionStorage.clear();
  await reload();
  await expectNoQuestion();
});

test('the choice about cookies is opened again by the footer and says what holds', async () => {
  letTimeBeSkipped();
  const { press, find, key } = await openScreen('/cases', { user: null, consent: null });
  await untilAsked();
  await press('button', 'Принять', QUESTION);
  await press('button', 'Настройки cookie', FOOTER);
  await untilShown('Файлы cookie', `${DIALOG} h2`);
  expect(readText(DIALOG)).toContain('Сейчас cookie приняты.');
  await key('{Escape}');
  await untilDialogGone();
  const opener = await find('button', 'Настройки cookie', FOOTER);
  await until(() => expect(document.activeElement).toBe(opener));
});

test('an account that waits for its deletion is invited to an interview only once that is cancelled', async () => {
  letTimeBeSkipped();
  const isLeaving: boolean[] = [];
  const { server, press } = await openScreen('/app', {
    user: { ...USER, erasesAt: '2026-12-21T09:00:00.000Z' },
    prepare: (server) =>
      server.answer(takeInterviewInvitation, () => {
        isLeaving.push(readText(MAIN).includes('Аккаунт будет удалён'));
        return { isDue: false };
      }),
  });
  await untilShown('Здесь появятся ваши видео', MAIN);
  await pass(150);
  server.answer(cancelDeletion, USER);
  await press('button', 'Отменить удаление', MAIN);
  await until(async () => {
    await pass(10);
    expect(isLeaving).toEqual([false]);
  });
});

test('the invitation to an interview comes two minutes into a visit, never over a dialog, and once', async () => {
  letTimeBeSkipped();
  const { server, press, find, fill, key, reload } = await openScreen('/app', {
    prepare: (server) => {
      server.cut(requestInterview);
      server.answer(takeInterviewInvitation, { isDue: true });
    },
  });
  /** The decision comes before the code of the dialog. */
  const isInvited = () => localStorage.getItem(`podium.interviewProposalShown.${USER.id}`) === 'true';
  const title = 'Расскажите, как вы работаете';
  await untilShown('Здесь появятся ваши видео', MAIN);
  // The time that the screens take to load counts as well.
  await pass(10);
  // It goes on after a reload.
  await reload();
  await pass(10);
  expect(isInvited()).toBe(false);
  await press('button', 'Купить генерации', 'header');
  await untilShown('Пополнить звезды', `${DIALOG} h2`);
  await pass(120);
  expect(isInvited()).toBe(false);
  await key('{Escape}');
  await until(async () => {
    await pass(1);
    expect(isInvited()).toBe(true);
  });
  await untilShown(title, `${DIALOG} h2`);

  expect((await find('field', 'Имя', DIALOG)).value).toBe('Анна Ким');
  expect((await find('field', 'Email', DIALOG)).value).toBe(USER.email);
  expect((await find('field', 'Telegram', DIALOG)).value).toBe('');
  await press('button', 'Участвовать в интервью');
  await untilShown('Пожалуйста, заполните все поля', TOAST);
  expect(server.callsOf(requestInterview)).toHaveLength(0);
  await fill('Telegram', '@anna');
  await press('button', 'Участвовать в интервью');
  await untilShown('Не удалось отправить заявку. Попробуйте позже.', TOAST);
  expect(readText(DIALOG)).not.toContain('Не удалось отправить заявку');
  server.answer(requestInterview, { status: 'received' });
  await press('button', 'Участвовать в интервью');
  await untilShown('Заявка отправлена! 🎉', TOAST);
  expect(readText(TOAST)).toContain('10 звёзд будут начислены после интервью.');
  expect(server.callsOf(requestInterview).map(({ body }) => body)).toEqual(
    Array(2).fill({ name: 'Анна Ким', email: USER.email, telegram: '@anna' }),
  );
  await untilDialogGone();

  // Not again in the next visit, where whether something is being made would be asked first.
  sessionStorage.clear();
  await reload();
  await untilShown('Здесь появятся ваши видео', MAIN);
  await pass(10);
  const asked = server.callsOf(listActiveGenerations).length;
  await pass(150);
  expect(server.callsOf(listActiveGenerations)).toHaveLength(asked);
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('who was invited on another device is not invited on this one', async () => {
  letTimeBeSkipped();
  const { server } = await openScreen('/app', {
    prepare: (server) => server.answer(takeInterviewInvitation, { isDue: false }),
  });
  await untilShown('Здесь появятся ваши видео', MAIN);
  await pass(120);
  await until(async () => {
    await pass(1);
    expect(localStorage.getItem(`podium.interviewProposalShown.${USER.id}`)).toBe('true');
  });
  await pass(150);
  expect(server.callsOf(takeInterviewInvitation)).toHaveLength(1);
  expect(document.querySelector(DIALOG)).toBeNull();
});

const isAsked = () => document.querySelector(QUESTION) !== null;

/** The question is not there at once: it comes after a second. */
async function untilAsked(): Promise<void> {
  await untilShown('Кейсы', 'h1');
  expect(isAsked()).toBe(false);
  await until(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(isAsked()).toBe(true);
  });
}

async function expectNoQuestion(): Promise<void> {
  await untilShown('Кейсы', 'h1');
  await pass(5);
  expect(isAsked()).toBe(false);
}

/** Every second has its own turn: what one brings on may wait for the next. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
}

/** What the device keeps. */
function readConsent(): Promise<unknown> {
  return readStored('device', CONSENT_KEY, { safeParse: (data) => ({ success: true, data }) });
}

/** They have confirmed their e-mail and have what was given them for it. */
function oneNewcomer(server: ContractServer): void {
  server.answer(getStarBalance, { balance: 2 });
  server.answer(listResults, sampleResults([]));
}

/** Everything that decides about the offer has come, at this visit of the page. */
async function untilWholeHome(server: ContractServer, visit: number): Promise<void> {
  await untilShown('Здесь появятся ваши видео', MAIN);
  await untilRead(/^\d/, 'header .bal');
  await until(() => expect(server.callsOf(listActiveGenerations).length).toBeGreaterThanOrEqual(visit));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}
