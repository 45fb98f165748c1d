import { expect, type Page, test } from 'playwright/test';
import { addImages, signInAsNew, timeOut } from './fixture.ts';
import { choosePhoto, collectComplaints } from './newcomer.ts';

const LOCKED = 'Разблокируйте скачивание оригиналов';
const balance = (page: Page) => page.locator('header .bal');

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

test('a seller short of stars buys them in three taps and goes on where they were', { tag: '@phone' }, async ({
  page,
  context,
}) => {
  const owner = await signInAsNew(page, { stars: 1, pace: 'held' });
  await addImages(owner, { kind: 'model_change', title: 'Пальто', width: 900, height: 1200 });
  const otherTab = await context.newPage();
  await otherTab.goto('/dashboard/gallery');
  await expect(otherTab.getByText(LOCKED)).toBeVisible();
  await expect(balance(otherTab)).toHaveText(/^1\D/);
  // The purchase is counted then.
  await otherTab.getByRole('button', { name: 'Принять' }).click();

  const complaints = collectComplaints(page);
  const events = collectEvents(page);
  await page.goto('/dashboard/photoshoot');
  await choosePhoto(page);
  await page.getByRole('main').getByRole('button', { name: 'Купить звезды' }).click();
  const dialog = page.getByRole('dialog', { name: 'Пополнить звезды' });
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
