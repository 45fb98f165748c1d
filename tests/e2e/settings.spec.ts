import { readFile } from 'node:fs/promises';
import { expect, test } from 'playwright/test';
import { readZip } from '#tests/support/read-zip.ts';
import { addImages, signInAsNew } from './fixture.ts';

test('everything that is kept about the person can be downloaded', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Платье' });
  await page.goto('/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать мои данные' }).click(),
    // Shown for five seconds, and the download may take longer.
    expect(page.getByText('Выгрузка началась')).toBeVisible(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^podium-data-[\d-]+\.zip$/);
  const files = await readZip(await readFile(await download.path()));
  expect(files.get('account.json')?.toString()).toContain(owner.email);
  expect([...files.keys()].filter((name) => name.startsWith('results/'))).toHaveLength(1);
});
