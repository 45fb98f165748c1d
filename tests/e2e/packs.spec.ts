import { expect, test } from 'playwright/test';
import { MARKETPLACE_MIN_PX } from '#shared/rules/photo-requirements.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { makeDoneBatch } from './batch-fixture.ts';
import { signInAsNew } from './fixture.ts';
import { saveFile } from './newcomer.ts';

const SET = {
  kind: 'model_change',
  settings: { modelId: null, backgroundId: 'studio_white', agreedChange: 'background_change' },
} as const;

/** The smallest that Wildberries takes. */
const SIZE = MARKETPLACE_MIN_PX;
/** Renders give way to all other work of a busy machine. */
const RENDER_TIMEOUT_MS = 60_000;

test('what was taken of a batch becomes a pack for a marketplace', async ({ page }) => {
  test.setTimeout(test.info().timeout + RENDER_TIMEOUT_MS);
  await signInAsNew(page, { stars: 20, isPaid: true, pace: 'rendered' });
  const id = await makeDoneBatch(page, { set: SET, count: 2, ...SIZE });
  await page.goto(`/dashboard/batches?batch=${id}&review=1`);
  await page.getByRole('button', { name: /Взять все без замечаний/ }).click();
  await page.getByRole('button', { name: 'Собрать пакеты' }).click();

  const dialog = page.getByRole('dialog', { name: 'Пакеты для маркетплейсов' });
  await expect(dialog.getByText('Wildberries — 2 файла')).toBeVisible();
  await expect(dialog.getByText('ART-1/ART-1_1.jpg').first()).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Ozon' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Яндекс Маркет' }).uncheck();
  await dialog.getByLabel('Шаблон названий').fill('фото');
  await dialog.getByRole('button', { name: 'Вставить {№}' }).click();
  await expect(dialog.getByText('ART-1/фото1.jpg').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Собрать пакет' }).click();

  await expect(dialog.getByText('Готово: 1 из 1')).toBeVisible();
  const { name, content } = await saveFile(page, () =>
    dialog.getByRole('button', { name: 'Скачать: Wildberries' }).click(),
  );
  expect(name).toMatch(/^Wildberries_.+\.zip$/);
  expect([...(await readZip(content)).keys()].sort()).toEqual([
    'ART-1/фото1.jpg',
    'ART-2/фото1.jpg',
    'readme.txt',
    'results.csv',
  ]);

  // The button gives way to the one that orders, which its press must not press.
  await dialog.getByRole('button', { name: 'Собрать новые' }).click();
  await expect(dialog.getByLabel('Шаблон названий')).toBeVisible();
  expect((await (await page.request.get('/api/packs')).json()).packs).toHaveLength(1);

  // «Back» closes the dialog, and opens neither it nor the review again.
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Пакеты', exact: true })).toBeVisible();
});
