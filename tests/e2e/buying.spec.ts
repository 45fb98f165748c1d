import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { collectComplaints, PASSWORD } from './newcomer.ts';
import { addImages, signInAsNew, timeOut } from './scene.ts';

const LOCKED = 'Разблокируйте скачивание оригиналов';
const balance = (page: Page) => page.locator('header .bal');
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Пополнить звезды' });

/** Names of the events that the page has the server count. */
function collectEvents(page: Page): string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/analytics/event')) names.push(request.postDataJSON().event_name);
  });
  return names;
}

/** Names of the events in the tag manager's data layer. */
const readDataLayer = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => ((globalThis as { dataLayer?: { event: string }[] }).dataLayer ?? []).map(({ event }) => event));
const countPurchases = async (page: Page) => (await readDataLayer(page)).filter((name) => name === 'purchase').length;

test('a seller short of stars buys them in three taps and goes on where they were', async ({ page, context }) => {
  // Cookies are accepted: the purchase is counted.
  await context.addInitScript(() => localStorage.setItem('cookieConsent', 'accepted'));
  const owner = await signInAsNew(page, { stars: 1, pace: 'held' });
  await addImages(owner, { kind: 'model_change', title: 'Пальто', width: 900, height: 1200 });
  const otherTab = await context.newPage();
  await otherTab.goto('/dashboard/gallery');
  await expect(otherTab.getByText(LOCKED)).toBeVisible();
  await expect(balance(otherTab)).toHaveText(/^1\D/);

  const complaints = collectComplaints(page);
  const events = collectEvents(page);
  await page.goto('/dashboard/photoshoot');
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.locator('input[type=file]').first().setInputFiles({ name: 'платье.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Купить звезды' }).click();
  const dialog = dialogOf(page);
  await expect(page).toHaveURL(/\/dashboard\/photoshoot$/);
  await expect(dialog.getByRole('radio', { name: /Примерка/ })).toBeChecked();
  await expect(dialog.getByText(/не\sпринимают картинки с\sлоготипом/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Перейти к оплате/ }).click();
  await page.getByRole('button', { name: 'Оплатить' }).click();

  await expect(page.getByRole('heading', { name: 'Оплата прошла успешно!' })).toBeVisible();
  await expect(page.getByText('Звезды зачислены на ваш баланс').first()).toBeVisible();
  await expect(page.getByText(/^Текущий баланс: 11\sзвёзд$/)).toBeVisible();
  await expect.poll(() => countPurchases(page)).toBe(1);
  // The other tab was not touched.
  await expect(balance(otherTab)).toHaveText(/^11/);
  await expect(otherTab.getByText(LOCKED)).toBeHidden();
  await expect(otherTab.getByRole('button', { name: 'Оригинал HD: Пальто' })).toBeVisible();

  await page.reload();
  await expect(page.getByText(/^Текущий баланс: 11\sзвёзд$/)).toBeVisible();

  await page.getByRole('link', { name: /^Продолжить: Фотосессия/ }).click();
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await page.getByRole('button', { name: /^Создать фотосессию/ }).click();
  await expect(page.getByText('Обработка...').first()).toBeVisible();
  // All that the payment page does after its reload is done by now.
  expect(await countPurchases(page)).toBe(0);
  await expect(balance(page)).toHaveText(/^9\D/);
  await timeOut(owner);

  await balance(page).click();
  await expect(page).toHaveURL(/\/stars$/);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.filter({ hasText: 'Покупка звёзд' })).toContainText(/Пакет «Примерка».*\+10/s);
  await expect(rows.filter({ hasText: 'Списано за фотосессию' })).toContainText('−2');
  expect(events).toEqual(expect.arrayContaining(['buy_stars_click', 'buy_stars_checkout_started']));
  expect(complaints).toEqual([]);
});

test('a declined payment ends on the fail page and may be tried again', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page, { stars: 0 });
  await page.goto('/app?openBuyStars=true');
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /Показ/ }).click();
  await expect(page).toHaveURL(/\/app$/);
  await dialog.getByRole('button', { name: /^Перейти к оплате/ }).click();
  await page.getByRole('button', { name: 'Отклонить' }).click();
  await expect(page).toHaveURL(/\/payment\/fail/);
  await expect(page.getByRole('heading', { name: 'Ошибка оплаты' })).toBeVisible();
  await expect(page.getByText('Не удалось выполнить платеж. Попробуйте еще раз.').first()).toBeVisible();
  await expect(balance(page)).toHaveText(/^0/);
  await page.getByRole('link', { name: 'Попробовать снова' }).click();
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/\/app$/);
});

test('what can go wrong on the way to the payment page is said, and a retry opens no second invoice', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page, { stars: 0 });
  const events = collectEvents(page);
  const packages = '**/api/payments/star-packages';
  await page.route(packages, (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto('/app?openBuyStars=true');
  const dialog = dialogOf(page);
  await expect(dialog.getByText('Ошибка загрузки')).toBeVisible();
  await expect(dialog.getByText('Пожалуйста, попробуйте позже')).toBeVisible();
  await page.unroute(packages);
  await dialog.getByRole('button', { name: 'Повторить' }).click();

  const pay = dialog.getByRole('button', { name: /^Перейти к оплате/ });
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await expect(pay).toBeDisabled();
  await pay.click({ force: true });
  await expect(page.getByText('Пожалуйста, выберите пакет звезд')).toBeVisible();

  const keys: (string | undefined)[] = [];
  const answers = ['', '<html>', '{}', '{"message":"Платёжная система не отвечает","code":"payment_not_created"}'];
  await page.route('**/api/payments/create-invoice', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const body = answers[keys.length - 1] ?? '';
    return route.fulfill({ status: keys.length === 4 ? 502 : 200, contentType: 'application/json', body });
  });
  await dialog.getByRole('radio', { name: /Примерка/ }).click();
  for (const text of [
    'Пустой ответ от сервера при создании платежа',
    'Некорректный ответ от сервера при создании платежа',
    'Некорректный ответ от сервера при создании платежа',
    'Платёжная система не отвечает',
  ]) {
    await pay.click();
    await expect(page.getByText(text)).toBeVisible();
    await page.getByRole('button', { name: 'Закрыть уведомление' }).click();
  }
  expect(new Set(keys).size).toBe(1);
  await dialog.getByRole('radio', { name: /Коллекция/ }).click();
  await pay.click();
  await expect.poll(() => new Set(keys).size).toBe(2);
  expect(events).toEqual(
    expect.arrayContaining(['buy_stars_package_selected', 'buy_stars_checkout_started', 'payment_creation_failed']),
  );
  // Nobody has accepted cookies here.
  expect(await readDataLayer(page)).toEqual([]);
});

test('who leaves the payment page without paying is told so at once, and goes on paying or puts the invoice away', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page, { stars: 0 });
  const dialog = dialogOf(page);
  const askForPackage = async () => {
    await page.goto('/app?openBuyStars=true');
    await dialog.getByRole('radio', { name: /Показ/ }).click();
    await dialog.getByRole('button', { name: /^Перейти к оплате/ }).click();
    await expect(page).toHaveURL(/\/sandbox\/pay\//);
    return page.url();
  };
  const paymentPage = await askForPackage();
  await page.getByRole('button', { name: 'Вернуться без оплаты' }).click();
  await expect(page.getByRole('heading', { name: 'Оплата не завершена' })).toBeVisible();
  await expect(page).toHaveURL(/\/payment\/fail\?invoice=/);
  const resultPage = page.url();
  await expect(page.getByText(/1\s990\s₽, оплатить\sможно\sдо\s\d\d:\d\d/)).toBeVisible();
  await page.getByRole('link', { name: 'Продолжить оплату' }).click();
  await expect(page).toHaveURL(paymentPage);
  // The same package again is the same invoice.
  expect(await askForPackage()).toBe(paymentPage);

  await page.goto('/stars');
  const row = page.getByRole('listitem').filter({ hasText: 'Пакет «Показ»' });
  await expect(row.getByRole('link', { name: 'Оплатить' })).toHaveAttribute('href', paymentPage);
  await row.getByRole('button', { name: 'Отменить' }).click();
  await expect(page.getByText('Счёт отменён')).toBeVisible();
  await expect(row).toBeHidden();
  await page.goto(resultPage);
  await expect(page.getByRole('heading', { name: 'Счёт отменён' })).toBeVisible();
  await page.getByRole('link', { name: 'Выбрать пакет' }).click();
  await expect(dialog).toBeVisible();
  expect(await askForPackage()).not.toBe(paymentPage);
  // The page of the invoice that was put away is still open somewhere, and pays.
  await page.goto(paymentPage);
  await page.getByRole('button', { name: 'Оплатить' }).click();
  await expect(page.getByRole('heading', { name: 'Оплата прошла успешно!' })).toBeVisible();
  await expect(page.getByText(/^Текущий баланс: 50\sзвёзд$/)).toBeVisible();
});

test('a price that has changed under the open dialog is shown before anything is paid', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page, { stars: 0 });
  const packages = '**/api/payments/star-packages';
  // What the device has kept: the smallest package ten roubles cheaper than it is.
  await page.route(packages, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({
      json: answer.map((item: { priceRub: number }) => ({ ...item, priceRub: item.priceRub - 10 })),
    });
  });
  await page.goto('/app?openBuyStars=true');
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /Примерка/ }).click();
  const pay = dialog.getByRole('button', { name: /^Перейти к оплате/ });
  await expect(pay).toContainText(/480\s₽/);
  await page.unroute(packages);
  await pay.click();
  await expect(dialog.getByText('Цена пакета изменилась')).toBeVisible();
  await expect(dialog.getByText(/было 480\s₽, стало 490\s₽/)).toBeVisible();
  await expect(pay).toContainText(/490\s₽/);

  await page.route(packages, (route) =>
    route.fulfill({ json: [{ id: 1, name: 'Примерка', stars: 10, priceRub: 470 }] }),
  );
  await dialog.getByRole('button', { name: 'Отмена' }).click();
  await page.getByRole('button', { name: 'Купить звезды' }).first().click();
  await expect(dialog.getByRole('radio', { name: /Примерка/ })).toContainText(/470\s₽/);
  await page.unroute(packages);
  await dialog.getByRole('button', { name: 'Отмена' }).click();
  await page.getByRole('button', { name: 'Купить звезды' }).first().click();
  await dialog.getByRole('radio', { name: /Примерка.*490/ }).click();
  await pay.click();
  await expect(page.getByRole('button', { name: 'Оплатить' })).toBeVisible();
});

test('an unconfirmed e-mail is confirmed before paying', { tag: '@once' }, async ({ page }) => {
  const registered = await page.request.post('/api/register', {
    data: { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD },
  });
  const { id: userId, username: name } = await registered.json();
  await page.addInitScript(
    (marker) => localStorage.setItem('podium.session', marker),
    JSON.stringify({ userId, name }),
  );
  await page.goto('/app?openBuyStars=true');
  await dialogOf(page).getByRole('radio').first().click();
  await dialogOf(page)
    .getByRole('button', { name: /^Перейти к оплате/ })
    .click();
  await expect(page).toHaveURL(/\/verify-email/);
  await expect(dialogOf(page)).toBeHidden();
});

test('the success page proves nothing by being visited, and works signed out', { tag: '@once' }, async ({ page }) => {
  await page.goto('/payment/success');
  await expect(page.getByRole('heading', { name: 'Платёж не найден' })).toBeVisible();
  const invoice = { id: crypto.randomUUID(), packageName: 'Показ', stars: 50, amountRub: 1990 };
  let status = 'pending';
  await page.route('**/api/payments/invoices/*', (route) =>
    route.fulfill({
      json: {
        ...{ ...invoice, status, createdAt: new Date().toISOString() },
        ...{ paymentUrl: null, payableUntil: null, isUnpaid: false, isDismissed: false },
      },
    }),
  );
  await page.goto(`/payment/success?invoice=${invoice.id}`);
  await expect(page.getByRole('heading', { name: 'Проверяем платёж…' })).toBeVisible();
  status = 'succeeded';
  await expect(page.getByRole('heading', { name: 'Оплата прошла успешно!' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Войти' })).toBeVisible();
  await expect(page.getByText('Текущий баланс')).toBeHidden();
});

test('a payment that is not confirmed within a minute is not called failed', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.clock.install();
  await page.route('**/api/payments/invoices/*', (route) => route.fulfill({ status: 502, body: '<html>' }));
  await page.goto(`/payment/success?invoice=${crypto.randomUUID()}`);
  await expect(page.getByRole('heading', { name: 'Проверяем платёж…' })).toBeVisible();
  await page.clock.runFor(61_000);
  await expect(page.getByText('зачислим в течение одного рабочего дня')).toBeVisible();
});
