import { expect, type Page, test } from 'playwright/test';
import { signInAsAdmin } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

const panel = '/dashboard/analytics';

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await expect(page.getByRole('tab', { name, selected: true })).toBeVisible();
}

test('the panel counts, filters, is drawn and is downloaded', { tag: '@once' }, async ({ page }) => {
  await signInAsAdmin(page);
  const complaints = collectComplaints(page);
  await page.goto(panel);
  await expect(page.getByRole('heading', { name: 'Аналитика' })).toBeVisible();
  const registrations = page.locator('[data-metric=registrations] dd');
  await expect(registrations).not.toHaveText('0');

  const totals = page.getByRole('region', { name: 'Показатели' });
  await expect(totals.getByText('за всё время')).toBeVisible();

  // Nobody came before the service began.
  const [start, end] = [page.getByLabel('Начало'), page.getByLabel('Конец')];
  await end.fill('2020-01-31');
  await page.getByRole('button', { name: 'Применить' }).click();
  await expect(registrations).toHaveText('0');
  const periods = [
    totals.getByText('по 31.01.2020'),
    page.getByRole('region', { name: 'По дням', exact: true }).getByText('с 25.01.2020 по 31.01.2020'),
  ];
  for (const period of periods) await expect(period).toBeVisible();
  // The period is the address's: it outlives another tab of the panel and a reload.
  await openTab(page, 'Журнал');
  await openTab(page, 'Обзор');
  await page.reload();
  await expect(page).toHaveURL(`${panel}?endDate=2020-01-31`);
  await expect(end).toHaveValue('2020-01-31');
  for (const period of periods) await expect(period).toBeVisible();
  await start.fill('2020-02-01');
  await page.getByRole('button', { name: 'Применить' }).click();
  await expect(page.getByText('Дата начала позже даты конца').first()).toBeVisible();
  await page.getByRole('button', { name: 'Сбросить' }).click();
  await expect(start).toHaveValue('');
  await expect(end).toHaveValue('');
  await expect(page).toHaveURL(panel);
  await expect(registrations).not.toHaveText('0');
  await expect(totals.getByText('за всё время')).toBeVisible();
  await page.goBack();
  await expect(end).toHaveValue('2020-01-31');
  await expect(registrations).toHaveText('0');
  await page.goForward();
  await expect(registrations).not.toHaveText('0');

  const chart = page.getByRole('slider', { name: 'Видео и регистрации по дням' });
  await chart.focus();
  const newest = await chart.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  await expect(chart).not.toHaveAttribute('aria-valuetext', newest ?? '');
  await page.getByText('Таблица по дням').click();
  await expect(page.getByRole('columnheader', { name: 'Скачивания' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Скачать CSV' }).click();
  expect((await download).suggestedFilename()).toBe('podium-analytics.csv');
  expect(complaints).toEqual([]);
});
