import { expect, type Page, test } from 'playwright/test';
import { collectComplaints } from './newcomer.ts';
import { signInAsAdmin, signInAsNew } from './scene.ts';

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

test('whoever has a printed password is asked for another on every page, and can go on without', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsAdmin(page);
  for (const path of ['/app', panel]) {
    await page.goto(path);
    await expect(page.getByText('Задайте новый пароль')).toBeVisible();
  }
  await page.getByRole('button', { name: 'Задать пароль' }).click();
  const dialog = page.getByRole('dialog', { name: 'Новый пароль' });
  await expect(dialog.getByLabel('Текущий пароль', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Журнал' }).click();
  await expect(page.getByRole('tab', { name: 'Журнал', selected: true })).toBeVisible();
});

test('a failure of the figures is said and can be tried again', { tag: '@once' }, async ({ page }) => {
  await signInAsAdmin(page);
  await page.route('**/api/analytics', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await page.goto(panel);
  await expect(page.getByText('Не удалось загрузить данные аналитики').first()).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.locator('[data-metric=registrations]')).toBeVisible();
});

test('an administrator corrects a balance once, and the audit says so', { tag: '@once' }, async ({ page, browser }) => {
  const context = await browser.newContext();
  const person = await signInAsNew(await context.newPage(), { stars: 5 });
  await context.close();
  await signInAsAdmin(page);
  await page.goto(panel);
  await openTab(page, 'Пользователи');
  await page.getByLabel('Найти пользователя').fill(person.email);
  await page.getByRole('button', { name: 'Найти' }).click();
  await page.getByRole('button', { name: `Звёзды пользователя ${person.email}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Изменить баланс' }).click();
  await expect(dialog.getByText('Укажите причину')).toBeVisible();
  await dialog.getByLabel('Звёзды').fill('-6');
  await dialog.getByLabel('Причина').fill('Проверка панели');
  await dialog.getByRole('button', { name: 'Изменить баланс' }).click();
  await expect(dialog.getByText(/На балансе только 5/)).toBeVisible();
  await dialog.getByLabel('Звёзды').fill('-2');
  await dialog.getByRole('button', { name: 'Изменить баланс' }).dblclick();
  await expect(page.getByText('Баланс изменён')).toBeVisible();
  await expect(dialog.getByText(/Баланс: 3/)).toBeVisible();
  await expect(dialog.getByText('Ручная правка: Проверка панели')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await openTab(page, 'Журнал');
  await expect(page.getByText(/изменение: −2 · причина: Проверка панели/).first()).toBeVisible();
});

test('others are told that the panel is not for them', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto(panel);
  await expect(page.getByRole('heading', { name: 'Раздел только для администраторов' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Аналитика' })).toHaveCount(0);
});

test('the invitation comes two minutes into a visit, never over a dialog, and once', { tag: '@once' }, async ({
  page,
}) => {
  const person = await signInAsNew(page);
  const title = page.getByRole('heading', { name: 'Расскажите, как вы работаете' });
  const visit = async () => {
    await page.goto('/app');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(1500);
  };
  await visit();
  await expect(title).toHaveCount(0);
  // One question at a time: the one about cookies comes first.
  await page.getByRole('button', { name: 'Отклонить' }).click();

  // Two minutes later, while another dialog stands.
  await page.evaluate((id) => {
    sessionStorage.setItem(`podium.sessionStart.${id}`, String(Date.now() - 120_000));
  }, person.accountId);
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      if (sessionStorage.getItem('hasOther')) return;
      sessionStorage.setItem('hasOther', 'true');
      document.body.insertAdjacentHTML('beforeend', '<div id="other" role="dialog"></div>');
    }),
  );
  await visit();
  await expect(title).toHaveCount(0);
  await page.evaluate(() => document.querySelector('#other')?.remove());
  await expect(title).toBeVisible();

  await expect(page.getByLabel('Имя')).toHaveValue('person');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByPlaceholder('@username или ссылка')).toHaveValue('');
  await page.getByRole('button', { name: 'Участвовать в интервью' }).click();
  await expect(page.getByText('Пожалуйста, заполните все поля')).toBeVisible();
  await page.getByLabel('Telegram').fill('@person');
  await page.route('**/api/interview-request', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Участвовать в интервью' }).click();
  await expect(page.getByText('Не удалось отправить заявку. Попробуйте позже.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Участвовать в интервью' }).click();
  await expect(page.getByText('Заявка отправлена! 🎉')).toBeVisible();
  await expect(page.getByText(/10 звёзд будут начислены после интервью\./)).toBeVisible();

  await visit();
  await expect(title).toHaveCount(0);
});
