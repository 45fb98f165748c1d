import { expect, type Locator, type Page } from 'playwright/test';
import { ABROAD_NOTE, DEMONSTRATION_NOTE } from '#shared/rules/tool-offer.ts';
import { setFixture, signInAsNew } from '#tests/e2e/fixture.ts';
import { choosePhoto, type EngineFacts, expectAccessible, finishOldest, readBalance, test } from './journey.ts';

/** The video of an engine is rendered once more, in the size of marketplaces, perhaps on a busy machine. */
const RENDER_TIMEOUT_MS = 400_000;

/** A comparison takes seconds. On a busy machine it waits for all other work. */
const CHECK_TIMEOUT_MS = 300_000;

const visible = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).locator('visible=true');

test('a video is made of a photo, in a length that the engine has', async ({ page, facts }) => {
  test.setTimeout(2 * RENDER_TIMEOUT_MS);
  await signInAsNew(page, { stars: 2 });
  await page.goto('/dashboard/create-video');
  await choosePhoto(page);
  await expectEngineNote(page, facts);
  await page.getByRole('radio', { name: 'Дефиле' }).click();
  const lengths = page.getByRole('radiogroup', { name: 'Длительность' }).getByRole('radio');
  await expect(lengths).toHaveText(facts.videoLengths.map((length) => new RegExp(length.replace(' ', '\\s'))));
  await page.getByRole('button', { name: /Создать видео/ }).click();
  await expect(page.getByText(/Генерируем|Видео готово/).first()).toBeVisible();
  await expectAccessible(page);
  const retrieve = page.getByRole('button', { name: 'Получить видео' });
  const download = page.getByRole('button', { name: 'Скачать' });
  await expect(retrieve.or(download).first()).toBeVisible({ timeout: RENDER_TIMEOUT_MS });
  if (await retrieve.isVisible()) await retrieve.click();
  const player = page.locator('video');
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThanOrEqual(2);
  expect(await player.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(5, 0);
  await expect(page.getByRole('region', { name: 'История видео' }).getByRole('button')).toHaveCount(1);
  expect(await readBalance(page)).toBe(1);
});

test('another model stands before another background after four steps', async ({ page }) => {
  await signInAsNew(page, { stars: 2 });
  await page.goto('/dashboard/change-model');
  await expect(page.getByRole('heading', { level: 1, name: 'Смена модели' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Шаги' }).getByRole('listitem')).toHaveText([
    /Фото/,
    /Модель/,
    /Фон/,
    /Генерация/,
  ]);
  await choosePhoto(page);
  await visible(page, /^Далее/).click();
  await page.getByRole('radiogroup', { name: 'Модель' }).getByRole('radio', { name: 'Алиса' }).click();
  await visible(page, /^Далее/).click();
  await page.getByRole('radio', { name: 'Бетон' }).click();
  await visible(page, /^Далее/).click();
  await visible(page, /Сменить модель/).click();
  await expect(page.getByRole('heading', { name: 'Вещь на новой модели' })).toBeVisible();
  await expectLoaded(page.getByRole('img', { name: /^(Было|Стало)/ }), 2);
  await expect(page.getByText(/Алиса/).first()).toBeVisible();
  await expect(page.getByText('Бетон')).toBeVisible();
  await expectAccessible(page);
  expect(await readBalance(page)).toBe(1);
});

test('the five poses of a photo session come one by one', async ({ page }) => {
  await signInAsNew(page, { stars: 2 });
  await setFixture('engine-hold', {});
  await page.goto('/dashboard/photoshoot');
  await choosePhoto(page);
  await page.getByRole('button', { name: 'Создать фотосессию (2 звезды)' }).click();
  await expect(page.getByText('Обработка...').first()).toBeVisible();
  // Not the parts of them that the comparison with the photo may show.
  const poses = page.getByRole('button', { name: /^Увеличить: Поза\s\d(?!, На )/ });
  for (const count of [1, 2, 3, 4]) {
    await finishOldest();
    await expect(poses).toHaveCount(count);
    await expect(page.getByText('Фотосессия готова!')).toHaveCount(0);
  }
  await expectAccessible(page);
  await finishOldest();
  await expect(page.getByText('Фотосессия готова!')).toBeVisible();
  await expect(poses).toHaveCount(5);
  expect(await readBalance(page)).toBe(0);
});

test('a garment is tried on, shown beside its photo because it has changed, and tried on again for nothing', async ({
  page,
  facts,
}) => {
  await signInAsNew(page, { stars: 2 });
  await page.goto('/dashboard/try-on');
  const start = page.getByRole('button', { name: /^Примерить/ });
  await expect(page.getByRole('button', { name: 'Добавьте фото вещи' })).toBeDisabled();
  await choosePhoto(page);
  await expect(page.getByRole('button', { name: 'Добавьте фото человека' })).toBeDisabled();
  await choosePhoto(page, { kind: 'person', name: 'человек.jpg', place: 1 });
  await expectEngineNote(page, facts);
  await start.click();
  await expect(page.getByRole('heading', { name: 'Вещь примерена' })).toBeVisible();
  await expectLoaded(page.getByRole('img', { name: /^(Было|Стало|Вещь)/ }), 3);
  expect(await readBalance(page)).toBe(1);

  // The fake shows the clothes of the person's photo, as a model does that has not understood what to put on.
  const check = page.getByRole('region', { name: 'Сверка с фото' });
  await expect(check.getByText(/^Проверьте/)).toBeVisible({ timeout: CHECK_TIMEOUT_MS });
  await expectLoaded(check.getByRole('img'), 2);
  await expectAccessible(page);
  await check.getByRole('button', { name: 'Переделать бесплатно' }).click();
  await expect(page.getByText('Бесплатная переделка: звёзды не списываются.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Примерка' })).toBeFocused();
  await expect(check.getByText('Это бесплатная переделка.')).toBeVisible();
  expect(await readBalance(page)).toBe(1);
  await check.getByRole('link', { name: 'Открыть прежний результат' }).click();
  await expect(check.getByText('Бесплатная переделка использована.')).toBeVisible();
  await expect(check.getByRole('button', { name: 'Переделать бесплатно' })).toHaveCount(0);
});

/** No photo leaves the machine of the test, so no page may say that it goes abroad. */
async function expectEngineNote(page: Page, { isStandInNamed }: EngineFacts): Promise<void> {
  await expect(page.getByText(DEMONSTRATION_NOTE)).toHaveCount(isStandInNamed ? 1 : 0);
  await expect(page.getByText(ABROAD_NOTE)).toHaveCount(0);
}

/** Waits until so many pictures are there and have been loaded. */
async function expectLoaded(pictures: Locator, count: number): Promise<void> {
  await expect(pictures).toHaveCount(count);
  for (const picture of await pictures.all()) {
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
}
