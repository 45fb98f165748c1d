import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { collectComplaints } from './newcomer.ts';
import { creditPayment, setPace, signInAsNew } from './scene.ts';

const tab = (page: Page, name: string) => page.getByRole('list', { name: 'Шаги' }).getByRole('button', { name });
const choices = (page: Page, group: 'Модель' | 'Фон') =>
  page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio');
// One stands in the bar of a phone, one in the summary of a desktop.
const goOn = (page: Page) =>
  page
    .getByRole('button', { name: /^Далее/ })
    .locator('visible=true')
    .click();
const start = (page: Page) =>
  page.getByRole('button', { name: /Сменить (модель|фон)|Недостаточно звезд/ }).locator('visible=true');

async function uploadPhoto(page: Page): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.locator('input[type=file]').first().setInputFiles({ name: 'платье.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText('платье.jpg')).toBeVisible();
}

test('a free owner walks through three steps, gets another background and may not take the original', {
  tag: '@phone',
}, async ({ page }) => {
  const owner = await signInAsNew(page, { stars: 1, pace: 'held' });
  const complaints = collectComplaints(page);
  await watchSteps(page);
  // The device knows nothing yet, and the page is there before the answer: no step is shown that there is not.
  await page.evaluate(() => localStorage.removeItem('podium.tools'));
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/tools', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  const isAnswered = page.waitForResponse('**/api/tools');
  await page.goto('/dashboard/change-model');
  await expect(page.getByRole('heading', { level: 1, name: 'Смена фона' })).toBeVisible();
  await expect(tab(page, 'Генерация')).toBeVisible();
  answer();
  await isAnswered;
  await expect.poll(() => page.evaluate(() => localStorage.getItem('podium.tools'))).toContain('background_change');
  await expect(page.getByRole('heading', { level: 1, name: 'Смена фона' })).toBeVisible();
  await expect(page).toHaveTitle(/^Смена фона/);
  await expect(tab(page, 'Модель')).toHaveCount(0);
  for (const name of ['Фон', 'Генерация']) await expect(tab(page, name)).toBeDisabled();
  await uploadPhoto(page);
  await expect(tab(page, 'Генерация')).toBeDisabled();

  await goOn(page);
  await page.getByRole('button', { name: 'Абстракция' }).click();
  await page.getByRole('button', { name: 'Все', exact: true }).click();
  // It would sell the same photo back.
  await expect(page.getByRole('radio', { name: 'Как на фото' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Luxury' }).click();
  const offer = page.getByRole('dialog', { name: 'PRO-фон' });
  await expect(offer.getByText('Этот фон доступен платным пользователям.')).toBeVisible();
  await expect(offer.getByText('Купить пакет звезд')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offer).toBeHidden();
  await expect(tab(page, 'Генерация')).toBeDisabled();
  await page.getByRole('radio', { name: 'Бетон' }).click();
  await goOn(page);

  // What was chosen outlives a reload.
  await page.reload();
  await expect(page.getByText('Бетон').first()).toBeVisible();
  await start(page).click();
  await expect(page.getByText(/Готовим фото|Собираем кадр/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(/Готовим фото|Собираем кадр/).first()).toBeVisible();
  await setPace(owner, 'instant');
  const more = page.getByRole('button', { name: 'Создать ещё' });
  await expect(more).toBeVisible();
  await expect(page.getByText('Новый фон готов')).toBeVisible();
  await expect(page.getByText('Модель', { exact: true })).toHaveCount(0);
  await expect(page.getByText('Для ознакомления: с водяным знаком')).toBeVisible();

  const border = page.getByRole('slider', { name: 'Сравнение до и после' });
  await border.focus();
  for (const [key, share] of [
    ['End', '100'],
    ['Home', '0'],
    ['ArrowRight', '5'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(border).toHaveAttribute('aria-valuenow', share);
  }
  await page.getByRole('button', { name: 'Показать «Было»' }).click();
  await expect(border).toHaveAttribute('aria-valuenow', '100');
  expect(complaints).toEqual([]);

  const download = page.getByRole('button', { name: 'Скачать', exact: true });
  await download.click();
  const refusal = page.getByRole('dialog', { name: 'Скачивание оригиналов' });
  await expect(refusal.getByText('Купить пакет звезд')).toBeVisible();
  await refusal.getByRole('button', { name: 'Закрыть' }).first().click();
  await creditPayment(owner);
  const saved = page.waitForEvent('download');
  await download.click();
  expect((await saved).suggestedFilename()).toMatch(/^change-model-result-\d+\.jpg$/);

  await more.click();
  await expect(tab(page, 'Фон')).toBeDisabled();
  await uploadPhoto(page);
  await goOn(page);
  await page.getByRole('radio', { name: 'Белая студия' }).click();
  await goOn(page);
  await expect(start(page)).toBeDisabled();
  await expect(start(page)).toContainText('Недостаточно звезд');
  expect(await page.evaluate(() => (globalThis as { mostSteps?: number }).mostSteps)).toBe(3);
});

test('where another person is put in there are four steps, and a page of that time starts nothing else', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page, { stars: 1 });
  await page.route('**/api/tools', (route) =>
    route.fulfill({ json: { change: 'model_change', frames: 'poses', mover: 'person' } }),
  );
  await page.evaluate(() => localStorage.setItem('podium.tools', 'model_change poses person'));
  await page.goto('/dashboard/change-model');
  await expect(page.getByRole('heading', { level: 1, name: 'Смена модели' })).toBeVisible();
  for (const name of ['Модель', 'Фон', 'Генерация']) await expect(tab(page, name)).toBeDisabled();
  await uploadPhoto(page);
  for (const name of ['Фон', 'Генерация']) await expect(tab(page, name)).toBeDisabled();
  await tab(page, 'Модель').click();
  await expect(choices(page, 'Модель')).toHaveCount(15);
  await page.getByRole('radio', { name: 'Мужчины' }).click();
  await expect(choices(page, 'Модель')).toHaveCount(9);
  await page.getByRole('button', { name: '18–25' }).click();
  const young = await choices(page, 'Модель').count();
  await page.getByRole('button', { name: '26–35' }).click();
  expect(young + (await choices(page, 'Модель').count())).toBe(9);
  await choices(page, 'Модель').nth(0).click();
  await choices(page, 'Модель').nth(1).click();
  await expect(
    page.getByRole('radiogroup', { name: 'Модель', exact: true }).getByRole('radio', { checked: true }),
  ).toHaveCount(1);
  await expect(tab(page, 'Генерация')).toBeDisabled();
  await goOn(page);
  await expect(page.getByRole('radio', { name: 'Как на фото' })).toBeVisible();
  await page.getByRole('radio', { name: 'Бетон' }).click();
  await goOn(page);

  // The engine of the program is another by now.
  await page.unroute('**/api/tools');
  await start(page).click();
  await expect(page.getByText('ничего не запущено и не списано').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Смена фона' })).toBeVisible();
  await expect(tab(page, 'Модель')).toHaveCount(0);
  await expect(page.getByText('Бетон').first()).toBeVisible();
  await expect(start(page)).toBeEnabled();
  await expect(start(page)).toContainText('Сменить фон');
});

test('Back in the browser goes a step back, and out of the wizard only from where it began', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page, { stars: 1 });
  const isAt = (name: string) => expect(tab(page, name)).toHaveAttribute('aria-current', 'step');
  await page.goto('/app');
  await page.getByRole('main').getByRole('link', { name: 'Смена фона' }).click();
  await uploadPhoto(page);
  await goOn(page);
  await choices(page, 'Фон').first().click();
  await isAt('Фон');
  // Something that lies over the page has an entry of its own, and is passed over once it is closed.
  await page.getByRole('button', { name: 'Luxury' }).click();
  await page.getByRole('dialog', { name: 'PRO-фон' }).press('Escape');
  await page.goBack();
  await isAt('Фото');
  await page.goForward();
  await isAt('Фон');
  await goOn(page);
  await isAt('Генерация');
  await page.reload();
  await isAt('Генерация');
  await page.goBack();
  await isAt('Фон');
  await expect(choices(page, 'Фон').first()).toBeChecked();
  await page.goBack();
  await isAt('Фото');
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/app$/);

  // The buttons go the same ways: none of them leaves an entry behind that Back would go through again.
  await page.goForward();
  await goOn(page);
  await goOn(page);
  await tab(page, 'Фото').click();
  await isAt('Фото');
  await page.goBack();
  await expect(page).toHaveURL(/\/app$/);
});

test('what was stored badly is cleared, and a change that was cancelled costs nothing', { tag: '@once' }, async ({
  page,
}) => {
  const { accountId } = await signInAsNew(page, { stars: 1, pace: 'held' });
  await page.goto('/dashboard/change-model');
  await expect(tab(page, 'Фон')).toBeVisible();
  const keys = ['changeModelRequestId', 'changeModelData'].map((name) => `podium/1/${accountId}/${name}`);
  await writeValues(page, keys, '{not json');
  await page.reload();
  await expect(tab(page, 'Фон')).toBeDisabled();
  await expect.poll(() => readKeys(page)).not.toEqual(expect.arrayContaining(keys.slice(0, 1)));
  expect(await readKeys(page)).not.toContain(keys[1]);

  await uploadPhoto(page);
  await goOn(page);
  await page.getByRole('radio', { name: 'Бетон' }).click();
  await goOn(page);
  await start(page).click();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await expect(page.getByText('Генерация отменена, звёзды возвращены').first()).toBeVisible();
  await expect(start(page)).toBeEnabled();
  await expect(page.getByText(/^1(\s*звезда)?$/).first()).toBeVisible();
});

/** Notes down how many steps this page has ever shown, from its first paint on. */
async function watchSteps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = globalThis as { mostSteps?: number };
    new MutationObserver(() => {
      const steps = document.querySelectorAll('[aria-label="Шаги"] > li').length;
      seen.mostSteps = Math.max(seen.mostSteps ?? 0, steps);
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Writes into the store of pwa/lib/storage.ts, past it. */
function writeValues(page: Page, keys: string[], value: string): Promise<void> {
  return page.evaluate(
    ([names, text]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('values', 'readwrite');
          for (const name of names) transaction.objectStore('values').put(text, name);
          transaction.oncomplete = () => resolve();
          transaction.onerror = () => reject(transaction.error);
        };
      }),
    [keys, value] as const,
  );
}

function readKeys(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('values').objectStore('values').getAllKeys();
          reading.onsuccess = () => resolve(reading.result.map(String));
        };
      }),
  );
}
