import { expect, type Locator, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

/** How many products the day has. A day of a given length is rendered by the local engine. */
const PRODUCTS = Number(process.env.E2E_PRODUCTS ?? 2);
const PACE = process.env.E2E_PRODUCTS ? 'rendered' : 'instant';
/** For the photo, the video and its download. The browser's own chooser is none. */
const TOUCHES_MAX = 3;
/** For the search and the result. Typing is none. */
const FINDING_TOUCHES_MAX = 2;
/** A small machine that does other work may take so long for a video. */
const VIDEO_TIMEOUT_MS = 120_000;

/** Presses what opens the browser's file chooser, and chooses a photo there that is no other's. */
async function choosePhotoBy(page: Page, press: () => Promise<void>, name: string, index: number): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 + index });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
  await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
}

/** Counts the presses of the person. `take` gives those since it was called before. */
async function countTouches(page: Page): Promise<{ take: () => number }> {
  let touches = 0;
  await page.exposeFunction('noteTouch', () => {
    touches += 1;
  });
  await page.addInitScript(() => {
    // A press that the browser makes itself, such as that of a chooser's input, is none of the person.
    const note = (event: Event) => event.isTrusted && (globalThis as unknown as { noteTouch(): void }).noteTouch();
    addEventListener('click', note, { capture: true });
  });
  return {
    take() {
      const taken = touches;
      touches = 0;
      return taken;
    },
  };
}

test(
  'product after product on a phone is a press for the photo and one for the video, and each is found again in two',
  {
    tag: '@phone',
  },
  async ({ page }, testInfo) => {
    if (PACE === 'rendered') testInfo.setTimeout(testInfo.timeout + PRODUCTS * VIDEO_TIMEOUT_MS);
    const complaints = collectComplaints(page);
    const touches = await countTouches(page);
    const note = (type: string, articles: readonly string[], counts: readonly number[]) =>
      testInfo.annotations.push({
        type,
        description: articles.map((article, index) => `${article} ${counts[index]}`).join(),
      });
    await signInAsNew(page, { stars: 10 * PRODUCTS, isPaid: true, pace: PACE });
    await page.goto('/dashboard/create-video');
    const zone = page.getByRole('button', { name: 'Вещь целиком, без инфографики' });
    const generate = page.getByRole('button', { name: /^Создать видео/ });
    const next = page.getByRole('button', { name: 'Следующее фото' });
    const articles = Array.from({ length: PRODUCTS }, (_, index) => `ART-${201 + index}`);
    const [first = '', ...others] = articles;
    await choosePhotoBy(page, () => zone.tap(), `${first}.jpg`, 0);
    await page.getByRole('radio', { name: 'Дефиле' }).tap();
    await page.getByRole('radio', { name: '9:16' }).tap();
    await generate.tap();
    await expect(next).toBeVisible({ timeout: VIDEO_TIMEOUT_MS });

    touches.take();
    const making: number[] = [];
    for (const [index, article] of others.entries()) {
      await choosePhotoBy(page, () => next.tap(), `${article}.jpg`, index + 1);
      await generate.tap();
      await expect(page.getByText(`${article}, Видео 1`).first()).toBeVisible({ timeout: VIDEO_TIMEOUT_MS });
      await expect(next).toBeVisible();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Скачать', exact: true }).tap();
      await saved;
      making.push(touches.take());
    }
    note('touches for a product', others, making);
    expect(Math.max(...making)).toBeLessThanOrEqual(TOUCHES_MAX);

    const finding: number[] = [];
    const findFrom = async (search: Locator, article: string) => {
      await search.tap();
      // Pressing the field would be a touch more.
      const field = page.getByRole('textbox', { name: /^Поиск/ });
      await expect(field).toBeFocused();
      await page.keyboard.type(article.toLowerCase());
      await page.getByRole('button', { name: `Открыть: ${article}, Видео 1` }).tap();
      await expect(page.getByRole('dialog', { name: `${article}, Видео 1` })).toBeVisible();
      finding.push(touches.take());
    };
    for (const article of articles) {
      await page.goto('/app');
      await findFrom(page.getByRole('link', { name: 'Поиск по результатам' }), article);
    }
    await page.goto('/dashboard/products');
    await findFrom(page.getByRole('textbox', { name: 'Поиск товаров' }), first);
    note('touches for finding a result', [...articles, `${first} from the products`], finding);
    expect(Math.max(...finding)).toBeLessThanOrEqual(FINDING_TOUCHES_MAX);

    // An older video lends its settings to another photo, on any visit.
    await page.goto('/dashboard/create-video');
    await page.getByRole('radio', { name: 'Поза' }).tap();
    await page.getByRole('region', { name: 'История видео' }).getByRole('button').last().tap();
    await page.getByRole('link', { name: 'Сделать так же' }).tap();
    await expect(page.getByText(/^Настройки результата/)).toBeVisible();
    await expect(zone).toBeFocused();
    await expect(page.getByRole('radio', { name: 'Дефиле' })).toBeChecked();
    await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
    expect(complaints).toEqual([]);
  },
);
