import { type CDPSession, expect, type Page } from 'playwright/test';
import { addImages, addVideo, signInAsNew, startPhotosession } from './fixture.ts';

const WIDTHS = [320, 390, 1440];
/** As long as titles are. */
export const LONG_TITLE = 'IMG_20261122_183000_Фотосессия-1_2026-11-22_9f3a1c07';

/** Sets the size of text as the browser's settings do, for as long as the session lasts. */
export const setTextSize = (devtools: CDPSession, sizePx: number) =>
  devtools.send('Page.setFontSizes', { fontSizes: { standard: sizePx } });

export const readTextSize = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);

/** Signs in as somebody with many stars, long titles, results of two kinds, and a photo session that is being made. */
export async function signInWithMuch(page: Page): Promise<void> {
  const owner = await signInAsNew(page, { isPaid: true, stars: 12345 });
  await addImages(owner, { kind: 'photosession', title: LONG_TITLE, count: 12 });
  for (let index = 0; index < 4; index++) await addVideo(owner);
  await startPhotosession(owner);
}

/** Opens each page and expects that larger text moves nothing out of a window of a phone or a computer. */
export async function expectLargeTextFits(page: Page, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  // A page keeps the size of the one before, so that each is loaded with the larger text.
  await setTextSize(devtools, 32);
  for (const path of paths) {
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
  }
}

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
