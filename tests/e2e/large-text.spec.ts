import { type CDPSession, expect, type Page, test } from 'playwright/test';
import { makeBatch } from './batch-fixture.ts';
import { addImages, addVideo, signInAsAdmin, signInAsNew, startPhotosession } from './fixture.ts';

const PAGES = [
  '/',
  '/auth',
  '/cases',
  '/contacts',
  '/app',
  '/dashboard/create-video',
  '/dashboard/change-model',
  '/dashboard/photoshoot',
  '/dashboard/batches',
  '/dashboard/products',
  '/dashboard/gallery',
  '/dashboard/gallery/deleted',
  '/settings',
  '/stars',
  '/payment/fail',
  '/info/photo-guidelines',
];
const ADMIN_PAGES = ['/app', '/dashboard/analytics'];
/** As long as titles are. */
const TITLE = 'IMG_20261122_183000_Фотосессия-1_2026-11-22_9f3a1c07';
const WIDTHS = [320, 390, 1440];

/** Sets the size of text as the browser's settings do, for as long as the session lasts. */
const setTextSize = (devtools: CDPSession, sizePx: number) =>
  devtools.send('Page.setFontSizes', { fontSizes: { standard: sizePx } });

const readTextSize = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);

/** What stands right of the window, by its text. What scrolls in a box of its own can be reached. */
const listOutside = (page: Page) =>
  page.evaluate(() => {
    const isReached = (element: Element): boolean => {
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowX) && box !== document.body) return true;
      }
      return false;
    };
    return [...document.querySelectorAll('a,button,h1,h2,h3,p,li,input,label')]
      .filter((element) => {
        const { right, left, width } = element.getBoundingClientRect();
        return width > 1 && left >= 0 && right > innerWidth + 1 && !isReached(element);
      })
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`)
      .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []);
  });

test('with text twice as large, packages of stars and the menu are read whole, and the question about cookies keeps its button', {
  tag: '@once',
}, async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await setTextSize(await context.newCDPSession(page), 32);
  await signInAsNew(page);
  await page.goto('/app?openBuyStars=true');
  const packages = page.getByRole('dialog').getByRole('radio');
  await expect(packages.first()).toBeVisible();
  expect(await readTextSize(page)).toBe('32px');
  for (const one of await packages.all()) {
    await one.scrollIntoViewIfNeeded();
    const seen = await one.evaluate((card) => {
      const { left, top, bottom } = card.getBoundingClientRect();
      const ends = [top + 8, bottom - 8].map((y) => card.contains(document.elementFromPoint(left + 16, y)));
      const name = document.createRange();
      name.selectNodeContents(card.querySelector('.font-semibold') ?? card);
      return { ends, lines: name.getClientRects().length };
    });
    expect(seen).toEqual({ ends: [true, true], lines: 1 });
  }
  await page.goto('/app');
  const question = page.getByRole('region', { name: 'Файлы cookie' });
  await expect(question).toBeVisible();
  const [around, close] = await Promise.all([
    question.boundingBox(),
    question.getByRole('button', { name: 'Закрыть' }).boundingBox(),
  ]);
  expect(close?.y).toBeGreaterThanOrEqual(around?.y ?? Number.NaN);
  await page.getByRole('button', { name: 'Открыть меню' }).click();
  const menu = page.getByRole('dialog');
  await expect(menu.getByText('Виртуальная примерка')).toBeVisible();
  expect(await menu.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.goto('/dashboard/gallery');
  await page.getByRole('button', { name: 'Вид и выбор' }).click();
  const deleted = page.getByRole('link', { name: 'Недавно удалённые' });
  await expect(deleted).toBeVisible();
  expect((await deleted.boundingBox())?.x).toBeGreaterThanOrEqual(0);
});

test('with larger text in the browser nothing leaves the screen of a phone or a computer', {
  tag: '@once',
}, async ({ page, context }) => {
  test.setTimeout(2 * test.info().timeout);
  const devtools = await context.newCDPSession(page);
  const look = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    // Its lists are there.
    await expect(page.locator('.skel,.spin')).toHaveCount(0);
    for (const size of [24, 32]) {
      await setTextSize(devtools, size);
      await expect.poll(() => readTextSize(page)).toBe(`${size}px`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        // Diagrams are drawn again a moment after the window has changed.
        await expect.poll(() => listOutside(page), `${path}, ${width} px wide, text of ${size} px`).toEqual([]);
      }
    }
  };
  // A page keeps the size of the one before, so that each is loaded with the larger text.
  await setTextSize(devtools, 32);
  const owner = await signInAsNew(page, { isPaid: true, stars: 12345 });
  await addImages(owner, { kind: 'photosession', title: TITLE, count: 12 });
  for (let index = 0; index < 4; index++) await addVideo(owner);
  await startPhotosession(owner);
  for (const path of PAGES) await look(path);
  await look(await makeBatch(page, `${TITLE}.jpg`));
  await signInAsAdmin(page);
  for (const path of ADMIN_PAGES) await look(path);
});
