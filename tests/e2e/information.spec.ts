import { expect, test } from 'playwright/test';
import { signInAsNew } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

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
  ['/photo-transfer-consent', 'Согласие на передачу фото за границу'],
] as const;

test('every page of the footer and of the information is there, whole at 320 px and without a complaint', {
  tag: '@once',
}, async ({ page }) => {
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

test('letters of twice the size fit every public page of a phone: nothing is cut off, nothing lies over anything', {
  tag: '@once',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '32px';
    });
  });
  const others = [
    '/',
    '/auth',
    '/auth?tab=register',
    '/auth/reset',
    '/payment/fail',
    '/payment/success',
    '/no-such-page',
  ];
  for (const path of [...others, ...PAGES.map(([address]) => address)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const found = await page.evaluate(() => {
      const windowWidth = document.documentElement.clientWidth;
      const cut = [...document.querySelectorAll('.btn:not(.skip),.hdr a')].filter((label) => {
        const { left, right, width } = label.getBoundingClientRect();
        if (width === 0) return false;
        return left < 0 || right > windowWidth || label.scrollWidth > label.clientWidth;
      });
      return { width: document.documentElement.scrollWidth, cut: cut.map(({ textContent }) => textContent) };
    });
    expect([path, found]).toEqual([path, { width: 390, cut: [] }]);
  }
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const parts = ['.hdr a:last-of-type', '.hero-title', '.hero-cta > p:first-child', '.hero-button', '.hero-note'];
    const boxes = await Promise.all(parts.map((part) => page.locator(part).last().boundingBox()));
    for (const [index, box] of boxes.slice(1).entries()) {
      const above = boxes[index];
      expect(box?.y, `${parts[index + 1]} at ${width} px`).toBeGreaterThanOrEqual(
        (above?.y ?? 0) + (above?.height ?? 0),
      );
    }
  }
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
