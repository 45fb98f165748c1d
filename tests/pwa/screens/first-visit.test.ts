// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CONSENT_KEY } from '#pwa/lib/legacy-storage.ts';
import { readStored } from '#pwa/lib/storage.ts';
import { listGallery } from '#shared/contract/gallery.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  readText,
  until,
  untilAt,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { sampleImage } from '#tests/pwa/support/samples.ts';

const MAIN = 'main';
const FOOTER = 'footer';
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

test('whoever is signed in goes on from the landing to the app, and elsewhere is not asked to sign in', async () => {
  const { go, find } = await openScreen('/');
  await untilAt('/app');
  await go('/cases');
  await untilShown('Кейсы', 'h1');
  await find('button', 'Выйти');
  expect(readText('header')).not.toContain('Войти');
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

test('who has made something, or has no stars, is offered no sample', async () => {
  const { server, reload, find } = await openScreen('/app', {
    prepare(server) {
      oneNewcomer(server);
      server.answer(listGallery, {
        images: [sampleImage({ title: 'Платье' })],
        userStatus: { canDownloadOriginals: false },
        nextCursor: null,
      });
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
  for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(1000);
  expect(isAsked()).toBe(false);
}

/** What the device keeps. */
function readConsent(): Promise<unknown> {
  return readStored('device', CONSENT_KEY, { safeParse: (data) => ({ success: true, data }) });
}

/** They have confirmed their e-mail and have what was given them for it. */
function oneNewcomer(server: ContractServer): void {
  server.answer(getStarBalance, { balance: 2 });
  server.answer(listGallery, { images: [], userStatus: { canDownloadOriginals: false }, nextCursor: null });
}

/** Everything that decides about the offer has come, at this visit of the page. */
async function untilWholeHome(server: ContractServer, visit: number): Promise<void> {
  await untilShown('Здесь появятся ваши видео', MAIN);
  await until(() => expect(readText('header .bal')).toMatch(/^\d/));
  await until(() => expect(server.callsOf(listActiveGenerations).length).toBeGreaterThanOrEqual(visit));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}
