import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from 'playwright/test';
import { PATHS } from '#shared/rules/app-paths.ts';
import { makeBatch } from '#tests/e2e/batch-fixture.ts';
import { addImages, addVideo, signInAsAdmin, signInAsNew } from '#tests/e2e/fixture.ts';
import { FOR_THE_SIGNED_IN, FOR_VISITORS } from './pages.ts';

const WIDTHS = [320, 390, 768, 1024, 1440];
const THEMES = ['light', 'dark'] as const;
/** The others find the same in both themes. */
const RULES_ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

test.beforeEach(async ({ page }) => {
  // Still pictures: what fades in is measured as if it were pale.
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

for (const path of FOR_VISITORS) {
  test(`axe finds nothing on ${path} of a visitor`, async ({ page }) => {
    expect(await examine(page, path)).toEqual([]);
  });
}

for (const path of FOR_THE_SIGNED_IN) {
  test(`axe finds nothing on ${path} of somebody signed in`, async ({ page }) => {
    const owner = await signInAsAdmin(page);
    await addImages(owner, { kind: 'model_change', title: 'Платье', count: 2 });
    await addVideo(owner);
    expect(await examine(page, path)).toEqual([]);
  });
}

test('axe finds nothing on the page of a batch, in its review and in its packs', async ({ page }) => {
  await signInAsNew(page, { stars: 10, isPaid: true });
  const path = await makeBatch(page);
  const id = path.split('=')[1];
  expect(await examine(page, path)).toEqual([]);
  await page.request.post(`/api/batches/${id}/start`, { data: { agreedStars: 2 } });
  const countDone = async () => (await (await page.request.get(`/api/batches/${id}`)).json()).batch.counts.done;
  await expect.poll(countDone).toBe(1);
  for (const dialog of ['', '&review=1', '&packs=1']) expect(await examine(page, path + dialog)).toEqual([]);
});

test(`axe finds nothing on ${PATHS.verifyEmail} of somebody whose e-mail is not confirmed`, async ({ page }) => {
  await signInAsNew(page, { isVerified: false });
  expect(await examine(page, PATHS.verifyEmail)).toEqual([]);
});

test('axe finds nothing in the menus of a phone', async ({ page }) => {
  await signInAsNew(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(PATHS.app);
  for (const [button, entry] of [
    ['Открыть меню', 'Закрыть меню'],
    ['Меню пользователя', 'Купить генерации'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(entry).locator('visible=true')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [button, id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

/**
 * What axe finds on a page at every width and in both themes, and what is wider than the window. There are no frames,
 * so that axe may take its faster way.
 */
async function examine(page: Page, path: string): Promise<string[]> {
  const findings: string[] = [];
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path);
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(page.frames()).toHaveLength(1);
  await showAll(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 768 ? 844 : 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
      const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(RULES_ABOUT_COLOURS)).analyze();
      for (const { id, nodes } of violations) {
        findings.push(
          `${path} ${width} ${colorScheme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`,
        );
      }
    }
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (pageWidth > width) findings.push(`${path} ${width}: ${pageWidth} px wide`);
  }
  return findings;
}

/** What is laid out only near the window would not be examined. */
async function showAll(page: Page): Promise<void> {
  await page.mouse.move(5, 5);
  await page.locator('.landing-sections > *').evaluateAll((sections) => {
    for (const section of sections) (section as HTMLElement).style.contentVisibility = 'visible';
  });
}
