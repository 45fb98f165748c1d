import { expect, type Page, test } from 'playwright/test';
import { creditPayment, setPace, signInAsNew } from './fixture.ts';
import { choosePhoto, collectComplaints, saveFile } from './newcomer.ts';

const tab = (page: Page, name: string) => page.getByRole('list', { name: 'Шаги' }).getByRole('button', { name });
const backgrounds = (page: Page) => page.getByRole('radiogroup', { name: 'Фон', exact: true }).getByRole('radio');
// One stands in the bar of a phone, one in the summary of a desktop.
const goOn = (page: Page) =>
  page
    .getByRole('button', { name: /^Далее/ })
    .locator('visible=true')
    .click();
const start = (page: Page) =>
  page.getByRole('button', { name: /Сменить (модель|фон)|Недостаточно звезд/ }).locator('visible=true');

test('a free owner walks through two steps, gets another background and may not take the original', {
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
  await expect(tab(page, 'Фон')).toBeVisible();
  answer();
  await isAnswered;
  await expect.poll(() => page.evaluate(() => localStorage.getItem('podium.tools'))).toContain('background_change');
  await expect(page.getByRole('heading', { level: 1, name: 'Смена фона' })).toBeVisible();
  await expect(page).toHaveTitle(/^Смена фона/);
  await expect(tab(page, 'Модель')).toHaveCount(0);
  await expect(tab(page, 'Генерация')).toHaveCount(0);
  await expect(tab(page, 'Фон')).toBeDisabled();
  await choosePhoto(page);

  await goOn(page);
  const undecided = page.getByRole('button', { name: 'Сначала выберите фон' }).locator('visible=true');
  await expect(undecided).toBeDisabled();
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
  await expect(undecided).toBeDisabled();
  await page.getByRole('radio', { name: 'Бетон' }).click();

  // What was chosen outlives a reload.
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Бетон' })).toBeChecked();
  await start(page).click();
  await expect(page.getByText(/Готовим фото|Собираем кадр/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(/Готовим фото|Собираем кадр/).first()).toBeVisible();
  await setPace(owner, 'instant');
  const more = page.getByRole('button', { name: 'Следующее фото' });
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
  const refusal = page.getByRole('dialog', { name: 'Скачивание оригиналов доступно только платным пользователям' });
  await expect(refusal.getByText('Купить пакет звезд')).toBeVisible();
  await refusal.getByRole('button', { name: 'Закрыть' }).first().click();
  await creditPayment(owner);
  await download.click();
  // The dialog asks the server again, so that the page knows about the payment just made.
  const dialog = page.getByRole('dialog', { name: 'Готово к скачиванию!' });
  await dialog.getByRole('button', { name: 'Закрыть' }).first().click();
  const { name } = await saveFile(page, () => download.click());
  expect(name).toMatch(/^change-model-result-\d+\.jpg$/);

  await more.click();
  await expect(tab(page, 'Фон')).toBeDisabled();
  await choosePhoto(page);
  // The background of the one before stays chosen.
  await goOn(page);
  await expect(page.getByRole('radio', { name: 'Бетон' })).toBeChecked();
  await expect(start(page)).toBeDisabled();
  await expect(start(page)).toContainText('Недостаточно звезд');
  expect(await page.evaluate(() => (globalThis as { mostSteps?: number }).mostSteps)).toBe(2);
});

test('Back in the browser goes a step back, and out of the wizard only from where it began', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page, { stars: 1 });
  const STEPS = { Фото: 'photo', Фон: 'background' };
  // The step is shown before its entry of the history is written, and nobody presses Back in between.
  const isAt = async (name: keyof typeof STEPS) => {
    await expect(tab(page, name)).toHaveAttribute('aria-current', 'step');
    await expect.poll(() => page.evaluate(() => history.state?.usr?.wizard?.step)).toBe(STEPS[name]);
  };
  await page.goto('/app');
  await page.getByRole('main').getByRole('link', { name: 'Смена фона' }).click();
  await choosePhoto(page);
  await goOn(page);
  await backgrounds(page).first().click();
  await isAt('Фон');
  // Something that lies over the page has an entry of its own, and is passed over once it is closed.
  await page.getByRole('button', { name: 'Luxury' }).click();
  await page.getByRole('dialog', { name: 'PRO-фон' }).press('Escape');
  await page.goBack();
  await isAt('Фото');
  await page.goForward();
  await isAt('Фон');
  await page.reload();
  await isAt('Фон');
  await expect(backgrounds(page).first()).toBeChecked();
  await page.goBack();
  await isAt('Фото');
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/app$/);

  // The buttons go the same ways: none of them leaves an entry behind that Back would go through again.
  await page.goForward();
  await goOn(page);
  await tab(page, 'Фото').click();
  await isAt('Фото');
  await page.goBack();
  await expect(page).toHaveURL(/\/app$/);
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
