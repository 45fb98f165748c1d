// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { savePaymentReturn } from '#pwa/features/payments/payment-return.ts';
import { getVerificationWait } from '#shared/contract/account.ts';
import { recordEvent } from '#shared/contract/analytics.ts';
import { AGREED_PRICE_HEADER, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import {
  createInvoice,
  dismissInvoice,
  getInvoice,
  getLastInvoice,
  listStarPackages,
  listUnpaidInvoices,
} from '#shared/contract/payments.ts';
import { getStarBalance, listStarHistory } from '#shared/contract/stars.ts';
import { BAD_GATEWAY, type ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  clean,
  closeScreen,
  letTimeBeSkipped,
  ORIGIN,
  openScreen,
  readText,
  untilDialogGone,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { INVOICE_ID, PACKAGES, sampleInvoice, USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const BUY = '/app?openBuyStars=true';
const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const MAIN = 'main';
const PAY = /^Перейти к оплате/;
/** Where every payment page leads, whatever has become of the payment. */
const RETURN = `/payment/success?invoice=${INVOICE_ID}`;
const PAYMENT_PAGE = `${ORIGIN}/sandbox/pay/1`;

afterEach(async () => {
  delete window.dataLayer;
  await closeScreen();
});

test('a declined payment ends on the fail page and may be tried again', async () => {
  const { server, press, go } = await openScreen(BUY, { prepare: withoutStars });
  await press('radio', /^Показ/, DIALOG);
  expect(location.href).toBe(`${ORIGIN}/app`);
  const leave = watchLeaving();
  server.answer(createInvoice, { paymentUrl: PAYMENT_PAGE, invoiceId: INVOICE_ID });
  await press('button', PAY, DIALOG);
  await until(() => expect(leave).toHaveBeenCalledExactlyOnceWith(PAYMENT_PAGE));
  expect(readOrders(server)).toEqual([
    { body: { packageId: 2, provider: 'yookassa' }, agreedPrice: '89000', key: expect.stringMatching(/^.{16,}$/) },
  ]);

  server.answer(getInvoice, sampleInvoice({ status: 'canceled' }));
  await go(RETURN);
  await untilShown('Ошибка оплаты', 'h1');
  expect(location.href).toBe(`${ORIGIN}/payment/fail?invoice=${INVOICE_ID}`);
  await untilShown('Не удалось выполнить платеж. Попробуйте еще раз.', MAIN);
  await untilShown('Не удалось выполнить платеж. Попробуйте еще раз.', TOAST);
  expect(readText('header .bal')).toMatch(/^0/);
  expect(server.callsOf(getInvoice)[0]?.url.pathname).toBe(`/api/payments/invoices/${INVOICE_ID}`);
  await press('link', 'Попробовать снова');
  await untilShown('Пополнить звезды', DIALOG);
  await until(() => expect(location.href).toBe(`${ORIGIN}/app`));
});

test('two presses without a pause are one purchase, and counted once', async () => {
  const { server, press, pressTwice } = await openScreen(BUY, { prepare: withoutStars });
  await press('radio', /^Показ/, DIALOG);
  const leave = watchLeaving();
  server.answer(createInvoice, { paymentUrl: PAYMENT_PAGE, invoiceId: INVOICE_ID });
  await pressTwice('button', PAY, DIALOG);
  await until(() => expect(leave).toHaveBeenCalledExactlyOnceWith(PAYMENT_PAGE));
  expect(server.callsOf(createInvoice)).toHaveLength(1);
  const counted = server.callsOf(recordEvent).map(({ body }) => (body as { event_name: string }).event_name);
  expect(counted.filter((name) => name === 'buy_stars_checkout_started')).toHaveLength(1);
});

test('the page that the buyer comes back to is stored before the browser leaves for the payment page', async () => {
  const { server, press } = await openScreen(BUY, { prepare: withoutStars });
  await press('radio', /^Показ/, DIALOG);
  server.answer(createInvoice, { paymentUrl: PAYMENT_PAGE, invoiceId: INVOICE_ID });
  const happened: string[] = [];
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (String(key).endsWith('/paymentReturn')) {
      this.transaction.addEventListener('complete', () => happened.push('the place is stored'));
    }
    return put.call(this, value, key);
  });
  vi.spyOn(location, 'assign').mockImplementation(() => void happened.push('the page is left'));
  // The page waits for its device a second at most, and a busy machine may need longer.
  const later = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number) => later(run, ms === 1000 ? 60_000 : ms));
  await press('button', PAY, DIALOG);
  await until(() => expect(happened).toEqual(['the place is stored', 'the page is left']));
});

test('a device that never stores the page keeps nobody from paying', async () => {
  const { server, press } = await openScreen(BUY, { prepare: withoutStars });
  await press('radio', /^Показ/, DIALOG);
  server.answer(createInvoice, { paymentUrl: PAYMENT_PAGE, invoiceId: INVOICE_ID });
  const leave = watchLeaving();
  const storage = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase) {
    // Nothing that is asked of it comes to an end.
    const silent = new EventTarget();
    return Object.assign(silent, {
      objectStore: () => Object.assign(new EventTarget(), { put() {}, transaction: silent }),
    }) as never;
  });
  await press('button', PAY, DIALOG);
  await until(() => expect(leave).toHaveBeenCalledExactlyOnceWith(PAYMENT_PAGE));
  storage.mockRestore();
});

test('what can go wrong on the way to the payment page is said, and a retry opens no second invoice', async () => {
  const { server, press, find } = await openScreen(BUY, {
    // Nobody has accepted cookies here.
    consent: null,
    prepare(server) {
      withoutStars(server);
      server.garble(listStarPackages, '', 500);
    },
  });
  await untilShown('Ошибка загрузки', DIALOG);
  await untilShown('Пожалуйста, попробуйте позже', DIALOG);
  server.answer(listStarPackages, PACKAGES);
  await press('button', 'Повторить', DIALOG);

  await find('radio', /^Проба/, DIALOG);
  expect((await find('button', PAY, DIALOG)).getAttribute('aria-disabled')).toBe('true');
  await press('button', PAY, DIALOG);
  await untilShown('Пожалуйста, выберите пакет звезд', TOAST);

  const leave = watchLeaving();
  await press('radio', /^Проба/, DIALOG);
  const failures: [fail: () => void, text: string][] = [
    [() => server.garble(createInvoice, ''), 'Пустой ответ от сервера при создании платежа'],
    [() => server.garble(createInvoice, '<html>'), 'Некорректный ответ от сервера при создании платежа'],
    [() => server.garble(createInvoice, '{}'), 'Некорректный ответ от сервера при создании платежа'],
    [
      () => server.refuse(createInvoice, 'payment_not_created', { message: 'Платёжная система не отвечает' }),
      'Платёжная система не отвечает',
    ],
  ];
  for (const [fail, text] of failures) {
    fail();
    await press('button', PAY, DIALOG);
    await untilShown(text, TOAST);
    await press('button', 'Закрыть уведомление');
    await untilGone(text, TOAST);
  }
  const tries = readOrders(server);
  expect(tries).toHaveLength(4);
  for (const order of tries) expect(order).toEqual(tries[0]);
  expect(tries[0]).toMatchObject({ body: { packageId: 1, provider: 'yookassa' }, agreedPrice: '25000' });

  await press('radio', /^Коллекция/, DIALOG);
  await press('button', PAY, DIALOG);
  await until(() => expect(readOrders(server)).toHaveLength(5));
  const other = readOrders(server)[4];
  expect(other).toMatchObject({ body: { packageId: 3, provider: 'yookassa' }, agreedPrice: '199000' });
  expect(other?.key).not.toBe(tries[0]?.key);
  expect(leave).not.toHaveBeenCalled();

  const events = server.callsOf(recordEvent).map(({ body }) => body);
  expect(events.map((event) => (event as { event_name: string }).event_name)).toEqual(
    expect.arrayContaining(['buy_stars_package_selected', 'buy_stars_checkout_started', 'payment_creation_failed']),
  );
  for (const event of events) expect(event).not.toHaveProperty('details');
  expect(window.dataLayer ?? []).toEqual([]);
});

test('the history of stars says once that nothing loads, and one press loads the unpaid invoices too', async () => {
  const failure = 'Нет связи с сервером. Проверьте интернет и повторите';
  const { server, press } = await openScreen('/stars', {
    prepare(server) {
      server.cut(listUnpaidInvoices);
      server.cut(listStarHistory);
    },
  });
  await untilShown(failure, `${MAIN} [role=alert]`);
  expect(readText(MAIN).split(failure)).toHaveLength(2);

  server.answer(listStarHistory, { entries: [], nextCursor: null });
  server.answer(listUnpaidInvoices, { invoices: [sampleInvoice({ status: 'pending', isUnpaid: true })] });
  await press('button', 'Повторить', MAIN);
  await untilShown('Неоплаченные счета', MAIN);
  await untilShown('Операций пока нет', MAIN);
});

test('a buyer who leaves the payment page without paying is told so at once, and goes on paying or dismisses the invoice', async () => {
  const payableUntil = new Date(Date.now() + 30 * 60_000).toISOString();
  const unpaid = sampleInvoice({ status: 'pending', isUnpaid: true, paymentUrl: PAYMENT_PAGE, payableUntil });
  const { server, press, find, go } = await openScreen(RETURN, {
    prepare(server) {
      withoutStars(server);
      server.answer(getInvoice, unpaid);
      server.answer(listUnpaidInvoices, { invoices: [unpaid] });
      server.answer(listStarHistory, { entries: [], nextCursor: null });
    },
  });
  await untilShown('Оплата не завершена', 'h1');
  expect(location.href).toBe(`${ORIGIN}/payment/fail?invoice=${INVOICE_ID}`);
  expect(readText(MAIN)).toMatch(/Цена1 990 ₽.*Оплатить можно до\d\d:\d\d/);
  expect((await find('link', 'Продолжить оплату')).getAttribute('href')).toBe(PAYMENT_PAGE);

  await go('/stars');
  await untilShown('Неоплаченные счета', MAIN);
  const row = `${MAIN} section[aria-labelledby=unpaid-invoices]`;
  expect(readText(row)).toContain('Пакет «Коллекция»: 50 звёзд');
  expect((await find('link', 'Оплатить', row)).getAttribute('href')).toBe(PAYMENT_PAGE);
  server.answer(dismissInvoice, undefined);
  const answer = server.hold(dismissInvoice);
  await press('button', 'Отменить', row);
  await untilShown('Отменяем…', row);
  server.answer(listUnpaidInvoices, { invoices: [] });
  answer();
  await untilShown('Счёт отменён', TOAST);
  await untilGone('Неоплаченные счета', MAIN);
  expect(server.callsOf(dismissInvoice).map(({ url }) => url.pathname)).toEqual([
    `/api/payments/invoices/${INVOICE_ID}/dismiss`,
  ]);

  server.answer(getInvoice, { ...unpaid, isDismissed: true, paymentUrl: null, payableUntil: null });
  await go(RETURN);
  await untilShown('Счёт отменён', 'h1');
  await press('link', 'Купить звезды', MAIN);
  await untilShown('Пополнить звезды', DIALOG);
});

test('a price that has changed under the open dialog is shown before anything is paid', async () => {
  const { server, press, find } = await openScreen(BUY, {
    prepare(server) {
      withoutStars(server);
      server.answer(listStarPackages, sellFirstFor(480));
    },
  });
  await press('radio', /^Проба/, DIALOG);
  const pay = await find('button', PAY, DIALOG);
  expect(clean(pay.textContent)).toContain('480 ₽');
  server.answer(listStarPackages, sellFirstFor(490));
  server.refuse(createInvoice, 'price_changed');
  const leave = watchLeaving();
  await press('button', PAY, DIALOG);
  await untilShown('Цена пакета изменилась', DIALOG);
  expect(readText(DIALOG)).toContain('было 480 ₽, стало 490 ₽');
  expect(clean((await find('button', PAY, DIALOG)).textContent)).toContain('490 ₽');
  expect(leave).not.toHaveBeenCalled();

  server.answer(listStarPackages, sellFirstFor(470));
  await press('button', 'Отмена', DIALOG);
  await untilDialogGone();
  await press('button', 'Купить звезды');
  await find('radio', /^Проба.*470/, DIALOG);
  server.answer(listStarPackages, sellFirstFor(490));
  await press('button', 'Отмена', DIALOG);
  await untilDialogGone();
  await press('button', 'Купить звезды');
  await press('radio', /^Проба.*490/, DIALOG);
  server.answer(createInvoice, { paymentUrl: PAYMENT_PAGE, invoiceId: INVOICE_ID });
  await press('button', PAY, DIALOG);
  await until(() => expect(leave).toHaveBeenCalledExactlyOnceWith(PAYMENT_PAGE));
  const [refused, taken] = readOrders(server);
  expect([refused?.agreedPrice, taken?.agreedPrice]).toEqual(['48000', '49000']);
  expect(taken?.key).not.toBe(refused?.key);
});

test('an unconfirmed e-mail is confirmed before paying', async () => {
  const { server, press } = await openScreen(BUY, {
    user: { ...USER, isEmailVerified: false },
    prepare(server) {
      server.refuse(createInvoice, 'email_not_verified');
      server.answer(getVerificationWait, { retryAfter: 0 });
    },
  });
  const leave = watchLeaving();
  await press('radio', /^Проба/, DIALOG);
  await press('button', PAY, DIALOG);
  await until(() => expect(location.pathname).toBe('/verify-email'));
  expect(new URLSearchParams(location.search).get('next')).toBe('/app');
  await untilDialogGone();
  expect(readOrders(server)).toHaveLength(1);
  expect(leave).not.toHaveBeenCalled();
});

test('the success page proves nothing by being visited, and works signed out', async () => {
  letTimeBeSkipped();
  const { server, find, go } = await openScreen('/payment/success', { user: null });
  await untilShown('Платёж не найден', 'h1');
  expect(server.callsOf(getInvoice)).toEqual([]);

  server.answer(getInvoice, sampleInvoice({ status: 'pending' }));
  await go(RETURN);
  await untilShown('Проверяем платёж…', 'h1');
  await until(() => expect(server.callsOf(getInvoice)).not.toEqual([]));
  server.answer(getInvoice, sampleInvoice());
  await vi.advanceTimersByTimeAsync(2000);
  await untilShown('Оплата прошла успешно!', 'h1');
  expect((await find('link', 'Войти', MAIN)).getAttribute('href')).toMatch(/^\/auth/);
  expect(readText(MAIN)).not.toContain('Текущий баланс');
  expect(server.callsOf(getInvoice)[0]?.url.pathname).toBe(`/api/payments/invoices/${INVOICE_ID}`);
});

test('a paid invoice says what it was for, and leads on to what the buyer was doing', async () => {
  const way = { path: '/dashboard/photoshoot', label: 'Продолжить: Фотосессия', purpose: 'Фотосессия по 1 фото' };
  const { find } = await openScreen(RETURN, {
    async prepare(server) {
      await savePaymentReturn(USER.id, { invoiceId: INVOICE_ID, ...way, isSettled: true });
      server.answer(getInvoice, sampleInvoice());
      server.answer(getStarBalance, { balance: 50 });
    },
  });
  await untilShown('Оплата прошла успешно!', 'h1');
  await until(() => expect(readText(`${MAIN} dl`)).toContain('Для чего'));
  const facts = [...document.querySelectorAll('dt')].map((name) =>
    clean(`${name.textContent}: ${name.nextElementSibling?.textContent}`),
  );
  expect(facts).toEqual(['Пакет: «Коллекция»', 'Звёзды: 50 звёзд', 'Цена: 1 990 ₽', `Для чего: ${way.purpose}`]);
  expect((await find('link', way.label, MAIN)).getAttribute('href')).toBe(way.path);
});

test.each([
  ['the success page without an order, long after the last one,', '/payment/success'],
  ['the success page of an unknown order', RETURN],
  ['the fail page of an unknown order', `/payment/fail?invoice=${INVOICE_ID}`],
])('%s tells a buyer of no payment', async (_page, address) => {
  await openScreen(address, {
    prepare: (server) => {
      server.refuse(getInvoice, 'invoice_not_found');
      server.answer(getLastInvoice, { invoice: sampleInvoice({ createdAt: '2026-01-01T10:00:00.000Z' }) });
    },
  });
  await untilShown('Платёж не найден', 'h1');
  expect(readText(MAIN)).not.toMatch(/недостаточно средств|Текущий баланс/);
  expect(readText(TOAST)).toBe('');
});

test('a return without the order shows the one just made', async () => {
  const justMade = sampleInvoice({ createdAt: new Date().toISOString() });
  await openScreen('/payment/success', {
    prepare: (server) => {
      server.answer(getLastInvoice, { invoice: justMade });
      server.answer(getInvoice, justMade);
    },
  });
  await untilShown('Оплата прошла успешно!', 'h1');
});

test('a payment that is not confirmed within a minute is not called failed', async () => {
  letTimeBeSkipped();
  const { server, press } = await openScreen(RETURN, {
    prepare: (server) => server.garble(getInvoice, ...BAD_GATEWAY),
  });
  await untilShown('Проверяем платёж…', 'h1');
  await vi.advanceTimersByTimeAsync(50_000);
  await untilShown('Проверяем платёж…', 'h1');
  await vi.advanceTimersByTimeAsync(11_000);
  await untilShown('Платёж ещё обрабатывается', 'h1');
  await untilShown('зачислим в течение одного рабочего дня', MAIN);
  expect(readText('body')).not.toContain('Ошибка оплаты');
  server.answer(getInvoice, sampleInvoice());
  await press('button', 'Проверить ещё раз');
  await untilShown('Оплата прошла успешно!', 'h1');
});

function withoutStars(server: ContractServer): void {
  server.answer(getStarBalance, { balance: 0 });
}

function sellFirstFor(priceRub: number) {
  return PACKAGES.map((item, index) => (index === 0 ? { ...item, priceRub } : item));
}

/** The browser would go there, and this document would be gone. */
function watchLeaving() {
  return vi.spyOn(location, 'assign').mockImplementation(() => undefined);
}

function readOrders(server: ContractServer) {
  return server.callsOf(createInvoice).map(({ body, headers }) => ({
    body,
    agreedPrice: headers.get(AGREED_PRICE_HEADER),
    key: headers.get(IDEMPOTENCY_KEY_HEADER),
  }));
}
