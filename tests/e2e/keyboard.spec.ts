import { expect, type Page, test } from 'playwright/test';
import { signInAsNew } from './fixture.ts';

const MAX_STOPS = 60;
const SETTLE_MS = 300;
/** What comes into sight may be on its way for as long as a busy machine takes. */
const MAX_SETTLES = 10;

/** Walks through a page by Tab and names the stops whose focus cannot be seen. */
async function findHiddenStops(page: Page): Promise<{ hidden: string[]; count: number }> {
  const hidden: string[] = [];
  for (let count = 0; count < MAX_STOPS; count += 1) {
    await page.keyboard.press('Tab');
    let stop = await describeStop(page);
    if (!stop) return { hidden, count };
    for (let settles = 0; stop?.fault && settles < MAX_SETTLES; settles += 1) {
      await page.waitForTimeout(SETTLE_MS);
      stop = await describeStop(page);
    }
    if (stop?.fault) hidden.push(`${stop.name}: ${stop.fault}`);
  }
  throw new Error('the focus goes round in circles');
}

/** What has the focus, and why it cannot be seen; null when nothing has the focus. */
function describeStop(page: Page): Promise<{ name: string; fault: string | null } | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    const atPoint = document.elementFromPoint(left + width / 2, top + height / 2);
    const isUncovered = element.contains(atPoint) || atPoint?.contains(element) === true;
    const isOutlined = getComputedStyle(element).outlineStyle !== 'none';
    const box = `${[left, top, width, height].map(Math.round)}`;
    const cover = atPoint ? `under ${atPoint.outerHTML.slice(0, 200)}` : 'out of the window';
    return {
      name: element.getAttribute('aria-label') ?? element.textContent,
      fault: isUncovered ? (isOutlined ? null : 'no outline') : `at ${box} ${cover}`,
    };
  });
}

test('the keyboard reaches the whole page and its focus is always in sight', { tag: '@once' }, async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
  expect((await findHiddenStops(page)).hidden).toEqual([]);

  await signInAsNew(page);
  for (const path of [
    '/app',
    '/dashboard/create-video',
    '/dashboard/change-model',
    '/dashboard/photoshoot',
    '/dashboard/gallery',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const { hidden, count } = await findHiddenStops(page);
    expect(hidden, path).toEqual([]);
    expect(count).toBeGreaterThan(10);
  }
});
