import { expect, test } from 'playwright/test';
import { signInAsNew } from './fixture.ts';
import { PASSWORD } from './newcomer.ts';
import { meetInTelegram } from './telegram-fixture.ts';

test('Telegram is linked from the settings, shown there without a reload, and parted again', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Связать Telegram' }).click();
  const dialog = page.getByRole('dialog', { name: 'Связать Telegram?' });
  await dialog.getByLabel('Пароль от аккаунта').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Получить ссылку' }).click();
  const address = await page.getByRole('link', { name: 'Открыть @podium_fake_bot' }).getAttribute('href');
  expect(address).toMatch(/^https:\/\/t\.me\/podium_fake_bot\?start=[\w-]{22}$/);

  const anna = await meetInTelegram();
  await anna.say(`/start ${new URL(address ?? '').searchParams.get('start')}`);
  await anna.waitFor(/18 лет/);
  await anna.press('Мне есть 18, принимаю');
  await anna.waitFor(/Связать этот чат с аккаунтом сайта/);
  await anna.press('Связать');
  await anna.waitFor(/Готово: бот связан/);

  const tells = page.getByRole('checkbox', { name: 'Присылать результаты в Telegram' });
  await expect(tells).toBeChecked();
  await expect(page.getByText(/^@anna\d+ \(Анна\)$/).first()).toBeVisible();
  await Promise.all([
    page.waitForResponse(
      (response) => response.url().endsWith('/api/telegram') && response.request().method() === 'PATCH',
    ),
    tells.press('Space'),
  ]);
  await page.reload();
  await expect(tells).not.toBeChecked();

  await page.getByRole('button', { name: 'Разорвать связь с Telegram' }).click();
  await expect(page.getByText('Связь с Telegram разорвана')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Связать Telegram' })).toBeVisible();
  await anna.say('/settings');
  await anna.waitFor(/Бот не связан с сайтом/);
});
