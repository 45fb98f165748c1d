import { expect } from 'playwright/test';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { setFixture, signInAsNew } from '#tests/e2e/fixture.ts';
import { choosePhoto, expectAccessible, readBalance, test } from './journey.ts';

/** The pages of the tools. Every engine that is tested here makes all of them. */
const TOOLS: [GenerationKind, string][] = [
  ['video', PATHS.createVideo],
  ['model_change', PATHS.changeModel],
  ['photosession', PATHS.photoshoot],
  ['try_on', PATHS.tryOn],
];

test('a photo that the engine refuses costs nothing, and the text says what to do', async ({ page, facts }) => {
  await signInAsNew(page, { stars: 2 });
  await setFixture('engine-refuse', {});
  await page.goto(PATHS.createVideo);
  await choosePhoto(page);
  await page.getByRole('button', { name: /Создать видео/ }).click();
  const problem = page.getByRole('region', { name: 'Видео', exact: true }).getByRole('alert');
  await expect(problem).toContainText(facts.refusal);
  await expect(problem).toContainText(/звёзды\sвозвращены|1\sзвезда\sвозвращена/i);
  expect(await readBalance(page)).toBe(2);
  await problem.getByRole('button', { name: 'Выбрать другое фото' }).click();
  await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
});

test.describe('an engine that only the operator can mend', () => {
  // Further starts are refused with a warning.
  test.use({ expectedErrors: ['engine outage', 'generation failed'] });

  test('gives the star back, is on maintenance before anybody presses, and leaves packages on sale', async ({
    page,
    facts,
  }) => {
    await signInAsNew(page, { stars: 2 });
    await setFixture('engine-break', {});
    await page.goto(PATHS.createVideo);
    await choosePhoto(page);
    await page.getByRole('button', { name: /Создать видео/ }).click();
    const problem = page.getByRole('region', { name: 'Видео', exact: true }).getByRole('alert');
    await expect(problem).toContainText('Инструмент на обслуживании');
    await expect(problem).toContainText(/звёзды возвращены/i);
    expect(await readBalance(page)).toBe(2);

    await signInAsNew(page, { stars: 2 });
    for (const [tool, path] of TOOLS) {
      await page.goto(path);
      const notice = page.getByRole('status').filter({ hasText: 'Инструмент на обслуживании' });
      await expect(page.locator('input[type=file]').first()).toBeAttached();
      await expect(notice).toHaveCount(facts.brokenTools.includes(tool) ? 1 : 0);
      await expectAccessible(page);
    }

    await page.goto(PATHS.stars);
    await page.getByRole('main').getByRole('button', { name: 'Купить звезды' }).click();
    const shop = page.getByRole('dialog', { name: 'Пополнить звезды' });
    await shop.getByRole('radio', { name: /Примерка/ }).click();
    await expect(shop.getByRole('button', { name: /^Перейти к оплате/ })).toBeEnabled();

    await page.goto(PATHS.createVideo);
    const upload = page.waitForResponse('**/api/upload');
    await choosePhoto(page);
    await expect(page.getByRole('button', { name: 'Инструмент на обслуживании' })).toBeDisabled();
    const { id: imageId } = await (await upload).json();
    const refused = await page.request.post('/api/generate', { data: { imageId, settings: {} } });
    expect([refused.status(), (await refused.json()).code]).toEqual([503, 'engine_maintenance']);
    expect(await readBalance(page)).toBe(2);

    await setFixture('engine-recover', {});
    await expect(page.getByRole('button', { name: /Создать видео/ })).toBeEnabled();
    await expect(page.getByText('Инструмент на обслуживании')).toHaveCount(0);
  });
});
