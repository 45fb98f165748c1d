// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { getUser } from '#shared/contract/account.ts';
import {
  type AdminUser,
  beginSecondFactor,
  correctStars,
  finishSecondFactor,
  listAuditEntries,
  listUserStars,
  listUsers,
} from '#shared/contract/administration.ts';
import { getAnalytics } from '#shared/contract/analytics.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { type AdminReport, closeReport, countOpenReports, listReports } from '#shared/contract/result-reports.ts';
import { changePassword, listSessions } from '#shared/contract/settings.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { ADMIN, COUNTS, openPanel, PANEL } from '#tests/pwa/support/open-pages.ts';
import { closeScreen, openScreen, readText, untilRead, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { until } from '#tests/support/until.ts';

const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const CREATED = '2026-11-01T10:00:00.000Z';
const VERA: AdminUser = {
  id: 9,
  email: 'vera@example.com',
  username: 'vera',
  isEmailVerified: true,
  isPremium: false,
  balance: 5,
  createdAt: CREATED,
};

/** What the server answers while the password has to be replaced, or to anybody. */
const BEFORE_NEW_PASSWORD = [getUser.path, getToolAbilities.path, '/healthz', '/api/analytics/event'];

afterEach(closeScreen);

test('while a password is a printed one, every page asks for another, and nothing else is shown', async () => {
  const printed = { ...ADMIN, hasPrintedPassword: true as const };
  const { go, find, reload } = await openPanel((server) => {
    server.answer(getUser, printed);
    server.refuse(listSessions, 'password_change_required');
  }, '/app');
  await untilShown('Задайте новый пароль', 'h1');
  // From now on the device knows it, and asks for nothing that would be refused.
  const asked = vi.spyOn(globalThis, 'fetch');
  await reload();
  await untilShown('Задайте новый пароль', 'h1');
  await find('field', 'Текущий пароль', 'main');
  await find('button', 'Выйти', 'header');
  for (const menu of ['.side', '.tabbar', '.burger', '.bal']) expect(document.querySelector(menu)).toBeNull();
  const paths = asked.mock.calls.map(([address]) => new URL(String(address), location.href).pathname);
  expect(paths.filter((path) => !BEFORE_NEW_PASSWORD.includes(path))).toEqual([]);
  await go(PANEL);
  await untilShown('Задайте новый пароль', 'h1');
  await find('field', 'Текущий пароль', 'main');
  expect(readText('main')).not.toContain('Аналитика');
});

test('while a password is a printed one, the access of a chat can be kept, though the chats are not told', async () => {
  const { server, fill, press } = await openPanel((server) => {
    server.answer(getUser, { ...ADMIN, hasPrintedPassword: true });
    server.refuse(listSessions, 'password_change_required');
    server.answer(changePassword, undefined);
  });
  await press('checkbox', /^Оставить доступ чату Telegram/);
  expect(readText('main')).toContain('Если к аккаунту подключён чат, без отметки он будет отключён');
  await fill('Текущий пароль', 'напечатанный');
  await fill('Новый пароль', 'новый-пароль');
  await press('button', 'Изменить пароль');
  await until(() => expect(server.callsOf(changePassword).at(-1)).toMatchObject({ body: { keepsChats: true } }));
});

test('a failure of the figures is said and can be tried again', async () => {
  const { server, press } = await openPanel((server) => server.garble(getAnalytics, '', 500));
  await untilShown('Не удалось загрузить данные аналитики', TOAST);
  await untilShown('Не удалось загрузить данные аналитики', 'main');
  expect(document.querySelector('[data-metric=registrations]')).toBeNull();
  server.answer(getAnalytics, COUNTS);
  const asked = server.callsOf(getAnalytics).length;
  await press('button', 'Повторить');
  await until(() => expect(document.querySelector('[data-metric=registrations] dd')?.textContent).toBe('3'));
  expect(server.callsOf(getAnalytics)).toHaveLength(asked + 1);
  expect(readText('main')).not.toContain('Не удалось загрузить данные аналитики');
});

test('an administrator corrects a balance once, even when answers are lost, and the audit says so', async () => {
  const reason = 'Проверка панели';
  const { server, press, fill, find, key } = await openPanel((server) => {
    server.answer(listUsers, ({ url }) => ({
      users: url.searchParams.get('search') === VERA.email ? [VERA] : [],
      nextCursor: null,
    }));
    server.answer(listUserStars, { entries: [] });
    server.cut(correctStars);
  });
  await press('tab', 'Пользователи');
  await untilShown('Никого не нашлось');
  await fill('Найти пользователя', VERA.email);
  await press('button', 'Найти');
  await press('button', `Звёзды пользователя ${VERA.email}`);
  await press('button', 'Изменить баланс', DIALOG);
  await untilShown('Укажите причину', DIALOG);
  await fill('Звёзды', '-6');
  await fill('Причина', reason);
  await press('button', 'Изменить баланс', DIALOG);
  await untilRead('На балансе только 5', DIALOG);
  expect(server.callsOf(correctStars)).toHaveLength(0);

  await fill('Звёзды', '-2');
  await press('button', 'Изменить баланс', DIALOG);
  await until(() => expect(server.callsOf(correctStars)).toHaveLength(1));
  await find('button', 'Изменить баланс', DIALOG);
  const made = { id: '1', kind: 'correction' as const, delta: -2, note: reason, createdAt: CREATED };
  server.answer(correctStars, () => {
    server.answer(listUsers, { users: [{ ...VERA, balance: 3 }], nextCursor: null });
    server.answer(listUserStars, { entries: [made] });
    return { balance: 3 };
  });
  const answer = server.hold(correctStars);
  await press('button', 'Изменить баланс', DIALOG);
  await press('button', 'Меняем…', DIALOG);
  answer();
  await untilShown('Баланс изменён', TOAST);
  await untilRead('Баланс: 3', DIALOG);
  await until(() => expect(readText(DIALOG).split(`Ручная правка: ${reason}`)).toHaveLength(2));
  const calls = server.callsOf(correctStars);
  expect(calls.map(({ url, body }) => [url.pathname, body])).toEqual(
    Array(2).fill([`/api/admin/users/${VERA.id}/correction`, { delta: -2, reason }]),
  );
  const keys = calls.map(({ headers }) => headers.get(IDEMPOTENCY_KEY_HEADER));
  expect([...new Set(keys)]).toEqual([expect.stringMatching(/^[\w-]{16,}$/)]);

  await key('{Escape}');
  server.answer(listAuditEntries, {
    entries: [
      {
        id: '1',
        admin: ADMIN.email,
        action: 'stars_corrected',
        accountId: VERA.id,
        details: { delta: -2, reason, balance: 3 },
        createdAt: CREATED,
      },
    ],
    nextCursor: null,
  });
  await press('tab', 'Журнал');
  await untilRead(`изменение: −2 · причина: ${reason}`, 'main');
});

test('two presses at once set the second factor up once, and the recovery codes are shown', async () => {
  const { server, press, pressTwice, fill } = await openPanel((server) => {
    server.answer(listUsers, { users: [VERA], nextCursor: null });
    server.answer(listUserStars, { entries: [] });
    server.refuse(correctStars, 'second_factor_required');
    server.answer(beginSecondFactor, {
      secret: 'JBSWY3DPEHPK3PXP',
      address: 'otpauth://totp/Podium?secret=JBSWY3DPEHPK3PXP',
    });
    server.answer(finishSecondFactor, () => {
      server.refuse(finishSecondFactor, 'second_factor_code_wrong');
      return { recoveryCodes: ['abcd-efgh'] };
    });
  });
  await press('tab', 'Пользователи');
  await press('button', `Звёзды пользователя ${VERA.email}`);
  await fill('Звёзды', '-2');
  await fill('Причина', 'Проверка панели');
  await press('button', 'Изменить баланс', DIALOG);
  await untilShown('Настройте второй фактор', DIALOG);
  await fill('Пароль', 'secret-1');
  await pressTwice('button', 'Продолжить', DIALOG);
  await untilShown('Отсканируйте код', DIALOG);
  await fill('Код из приложения', '123456');
  await pressTwice('button', 'Готово', DIALOG);
  await untilShown('abcd-efgh', DIALOG);
  server.answer(correctStars, { balance: 3 });
  await press('button', 'Сохранены, продолжить', DIALOG);
  await untilShown('Баланс изменён', TOAST);
  expect([server.callsOf(beginSecondFactor), server.callsOf(finishSecondFactor)]).toMatchObject([
    { length: 1 },
    { length: 1 },
  ]);
});

test('others are told that the panel is not for them', async () => {
  const { server } = await openScreen(PANEL);
  await untilShown('Раздел только для администраторов', 'h1');
  const links = [...document.querySelectorAll('a[href]')].map(({ textContent }) => textContent);
  expect(links).not.toContain('Аналитика');
  expect(server.callsOf(getAnalytics)).toHaveLength(0);
});

const REPORT: AdminReport = {
  id: '0198a000-0000-7000-8000-000000000001',
  generationId: '0198a000-0000-7000-8000-000000000002',
  account: { id: 9, email: 'vera@example.com' },
  kind: 'video',
  made: 'video',
  engine: 'fal',
  model: 'kling',
  reason: 'minor',
  isUrgent: true,
  comment: 'Похоже на ребёнка',
  createdAt: CREATED,
  stars: 2,
  photos: 1,
  status: 'open',
  decision: null,
  answer: null,
  closedAt: null,
  closedBy: null,
  garmentCheck: { verdict: 'drifted', drifts: ['print'] },
  result: { position: 0, isVideo: true, width: 720, height: 960, isDeleted: false },
};

test('a complaint is decided once, after a confirmation that says what happens', async () => {
  const { server, press, fill } = await openPanel((server) => {
    server.answer(listReports, { reports: [REPORT], nextCursor: null });
    server.answer(countOpenReports, { count: 1 });
  });
  await press('tab', /Жалобы\s*1 ждут решения/);
  await untilShown('Похоже на несовершеннолетнего', 'main');
  expect(readText('main')).toContain('fal, kling');
  await press('button', 'Рассмотреть жалобу vera@example.com');
  await untilShown('Исходное фото', DIALOG);
  await untilShown('Сверка вещи: отличается принт', DIALOG);
  await press('button', 'Вернуть звёзды', DIALOG);
  await untilRead(/баланс вернётся: 2/, DIALOG);

  // Another administrator was faster.
  server.refuse(closeReport, 'report_closed');
  await press('button', 'Вернуть звёзды', DIALOG);
  await untilShown('Эту жалобу уже рассмотрели. Обновите список', TOAST);

  await fill('Ответ человеку', 'Вы правы');
  server.answer(closeReport, { ...REPORT, status: 'closed', decision: 'stars_returned' });
  server.answer(listReports, { reports: [], nextCursor: null });
  await press('button', 'Вернуть звёзды', DIALOG);
  await untilShown('Жалоба рассмотрена', TOAST);
  await untilShown('Жалоб, которые ждут решения, нет', 'main');
  expect(server.callsOf(closeReport).at(-1)?.body).toEqual({ decision: 'stars_returned', answer: 'Вы правы' });
});
