import { expect, test } from 'playwright/test';
import { collectComplaints } from './newcomer.ts';
import { signInAsNew } from './scene.ts';

const PAGES = [
  ['/cases', 'Кейсы'],
  ['/info/photo-guidelines', 'Требования к фото'],
  ['/info/policy-bot', 'Условия использования Telegram-бота'],
  ['/company-info', 'О компании'],
  ['/contacts', 'Контакты'],
  ['/privacy-policy', 'Политика конфиденциальности'],
  ['/terms-of-service', 'Пользовательское соглашение'],
  ['/legal', 'Пользовательское соглашение'],
  ['/payment-policy', 'Оплата и возврат'],
  ['/personal-data-consent', 'Согласие на обработку персональных данных'],
] as const;

test('every page of the footer and of the information is there, whole at 320 px and without a complaint', async ({
  page,
}) => {
  const complaints = collectComplaints(page);
  await page.setViewportSize({ width: 320, height: 740 });
  for (const [path, heading] of PAGES) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
  expect(complaints).toEqual([]);
});

test('the footer leads to the legal pages and the company', { tag: '@once' }, async ({ page }) => {
  await page.goto('/contacts');
  const footer = page.getByRole('contentinfo');
  for (const [name, path] of [
    ['Политика конфиденциальности', '/privacy-policy'],
    ['Пользовательское соглашение', '/terms-of-service'],
    ['Оплата и возврат', '/payment-policy'],
    ['Контакты', '/contacts'],
    ['О компании', '/company-info'],
  ] as const) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', path);
  }
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`);
});

test('a section of a long document opens from its contents', async ({ page, isMobile }) => {
  await page.goto('/privacy-policy');
  if (isMobile) await page.getByText('Содержание').click();
  await page.getByRole('link', { name: 'Ваши права' }).click();
  await expect(page.getByRole('heading', { name: 'Ваши права' })).toBeInViewport();
});

test('«Назад» of the cases leads visitors where they came from, and the signed-in to the app', {
  tag: '@once',
}, async ({ page }) => {
  const back = page.getByRole('main').getByRole('link', { name: 'Назад' });
  // Until its code has come the link is one to the start page.
  const goBack = async () => {
    await page.waitForLoadState('networkidle');
    await back.click();
  };
  await page.goto('/contacts');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Кейсы' }).click();
  await goBack();
  await expect(page).toHaveURL(/\/contacts$/);
  await page.goto('about:blank');
  await page.goto('/cases');
  await goBack();
  await expect(page).toHaveURL(/:\d+\/$/);
  await signInAsNew(page);
  await page.goto('/cases');
  await goBack();
  await expect(page).toHaveURL(/\/app$/);
});
