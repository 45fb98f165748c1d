import { expect, type Page, test } from 'playwright/test';
import { collectComplaints } from './newcomer.ts';

const PAGES = [
  '/',
  '/auth',
  '/cases',
  '/info/photo-guidelines',
  '/info/policy-bot',
  '/company-info',
  '/contacts',
  '/privacy-policy',
  '/terms-of-service',
  '/payment-policy',
  '/personal-data-consent',
  '/photo-transfer-consent',
];
const ROTATION_MS = 8000;

/** What React puts on the elements that it has taken over. */
const isTakenOver = (page: Page) =>
  page
    .locator('header')
    .first()
    .evaluate((header) => Object.keys(header).some((key) => key.startsWith('__reactFiber')));
const waitUntilTakenOver = (page: Page) => expect.poll(() => isTakenOver(page)).toBe(true);
const slide = (page: Page) => page.locator('.hero').getAttribute('data-slide');

test.describe('without JavaScript', { tag: '@once' }, () => {
  test.use({ javaScriptEnabled: false });

  test('every public page can be read, and its links lead on', async ({ page }) => {
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Политика конфиденциальности');
    }
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Звёзды вместо подписки' })).toBeVisible();
    await expect(page.getByText('1 990 ₽')).toBeVisible();
    await page.getByText('Какие фото подойдут?').click();
    await expect(page.getByText('от 300 пикселей')).toBeVisible();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Контакты' }).click();
    await expect(page).toHaveURL(/\/contacts$/);
  });

  test('what needs it says so, and no form is there to be sent', async ({ page }) => {
    await page.goto('/auth');
    const words = page.locator('noscript p');
    await expect(words).toBeVisible();
    await expect(words).toContainText(/нужен\sJavaScript/);
    await expect(page.getByRole('button', { name: 'Войти' })).toBeHidden();
    for (const path of ['/app', '/payment/success', '/payment/fail']) {
      await page.goto(path);
      await expect(words).toBeVisible();
      await expect(words).toContainText('только с включённым JavaScript');
      const header = await page.locator('.splash').boundingBox();
      const top = await words.evaluate((element) => {
        const letters = document.createRange();
        letters.selectNodeContents(element);
        return letters.getBoundingClientRect().top;
      });
      expect(top).toBeGreaterThanOrEqual(header?.height ?? 0);
    }
  });
});

test('every public page is taken over as it came: nothing is rendered again and nothing complains', {
  tag: '@once',
}, async ({ page }) => {
  const complaints = collectComplaints(page);
  for (const path of PAGES) {
    await page.addInitScript(() => {
      // Rendering the page again would remove the heading that came with it.
      addEventListener('DOMContentLoaded', () => {
        Object.assign(globalThis, { firstHeading: document.querySelector('h1') });
      });
    });
    await page.goto(path);
    await waitUntilTakenOver(page);
    const isSame = await page.evaluate(
      () => (globalThis as { firstHeading?: Element }).firstHeading === document.querySelector('h1'),
    );
    expect([path, isSame]).toEqual([path, true]);
  }
  expect(complaints).toEqual([]);
});

test('what somebody does before the code has come is not lost', { tag: '@once' }, async ({ page }) => {
  const code = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('anna@example.com');
  await page.getByLabel('Пароль', { exact: true }).fill('пароль');
  // The browser itself would send the form, password and all.
  await page.getByLabel('Пароль', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/auth$/);
  const answer = page.waitForResponse('**/api/login');
  code.resolve();
  expect((await answer).request().postDataJSON()).toEqual({ email: 'anna@example.com', password: 'пароль' });
});

test('a page stays where somebody moved it before the code came', async ({ page }) => {
  const code = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto('/privacy-policy', { waitUntil: 'commit' });
  const section = page.getByRole('heading', { name: 'Ваши права' });
  // Fonts that come later would move the text as well. They are known once the styles are there.
  await page.waitForFunction(() => document.fonts.size > 0);
  await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
  await section.scrollIntoViewIfNeeded();
  code.resolve();
  // Asked by the code, so it has taken the page over.
  await expect(page.getByRole('region', { name: 'Файлы cookie' })).toBeVisible();
  await expect(section).toBeInViewport();
});

test('a tab pressed before the code has come opens when it has, and takes along what was typed', {
  tag: '@once',
}, async ({ page }) => {
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await page.getByLabel('Email').fill('anna@example.com');
    await page.getByRole('tab', { name: 'Регистрация' }).click();
    await route.continue();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Зарегистрироваться' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('anna@example.com');
});

test('an unknown address says so with 404 in the server’s own words', { tag: '@once' }, async ({ page }) => {
  const response = await page.goto('/nothing/here');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('404 Page Not Found')).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test.describe('the pictures of the landing', { tag: '@once' }, () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install();
    // Otherwise the time that a busy machine takes would count, too.
    await page.clock.pauseAt(Date.now() + 60_000);
  });

  /** Opens the landing. Its code waits for some timers of the page before it takes the page over. */
  const openLanding = async (page: Page) => {
    await page.goto('/');
    await expect(async () => {
      await page.clock.runFor(100);
      expect(await isTakenOver(page)).toBe(true);
    }).toPass();
  };

  /** The second picture is fetched only after a while. */
  const runClock = async (page: Page, ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) await page.clock.runFor(1000);
  };

  test('change every 8 seconds, at a press of a dot, and not while they are stopped', async ({ page }) => {
    await openLanding(page);
    expect(await slide(page)).toBe('1');
    // A pointer that rests on them does not hold them.
    await page.mouse.move(400, 300);
    await runClock(page, ROTATION_MS + 1000);
    await expect.poll(() => slide(page)).toBe('2');
    await page.getByRole('button', { name: 'Фон 1 из 2' }).click();
    expect(await slide(page)).toBe('1');
    // Nor does a button that was pressed.
    await runClock(page, ROTATION_MS + 1000);
    await expect.poll(() => slide(page)).toBe('2');
    await page.getByRole('button', { name: 'Остановить смену фона' }).click();
    await runClock(page, 2 * ROTATION_MS);
    expect(await slide(page)).toBe('2');
    await page.getByRole('button', { name: 'Продолжить смену фона' }).click();
    await runClock(page, ROTATION_MS + 1000);
    await expect.poll(() => slide(page)).toBe('1');
  });

  test('rest while the focus is inside', async ({ page }) => {
    await openLanding(page);
    // By the keyboard, whose focus is seen.
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Создать первое видео' }).focus();
    await runClock(page, 4000 + 2 * ROTATION_MS);
    expect(await slide(page)).toBe('1');
  });

  test('do not change by themselves where motion is reduced; the dots work', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openLanding(page);
    await runClock(page, 4000 + 2 * ROTATION_MS);
    expect(await slide(page)).toBe('1');
    await page.getByRole('button', { name: 'Фон 2 из 2' }).click();
    expect(await slide(page)).toBe('2');
    await expect(page.getByRole('button', { name: /смену фона/ })).toHaveCount(0);
  });
});

test('the dash of a range on the landing stands clear of its figures', { tag: '@once' }, async ({ page }) => {
  await page.goto('/');
  const gaps = await page
    .getByRole('region', { name: 'В цифрах' })
    .getByText('+34–45')
    .evaluate((figure) => {
      const dash = figure.querySelector('span');
      const box = (node: Node | null | undefined) => {
        const range = document.createRange();
        if (node) range.selectNodeContents(node);
        return range.getBoundingClientRect();
      };
      const em = Number.parseFloat(getComputedStyle(figure).fontSize);
      const [before, middle, after] = [box(dash?.previousSibling), box(dash), box(dash?.nextSibling)];
      return [(middle.left - before.right) / em, (after.left - middle.right) / em];
    });
  for (const gap of gaps) expect(gap).toBeGreaterThan(0.08);
});

test('the landing is used by keyboard: past the header, the call to action, questions, sliders', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/');
  await waitUntilTakenOver(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К содержанию' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Создать первое видео' })).toBeFocused();
  const slider = page.getByRole('slider', { name: 'Сравнение до и после' }).first();
  await expect(async () => {
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuenow', '0', { timeout: 500 });
  }).toPass();
  const question = page.getByText('Сколько стоит одна генерация?');
  await question.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('фотосессия').last()).toBeVisible();
});

test.describe('the question about cookies', () => {
  const banner = (page: Page) => page.getByRole('region', { name: 'Файлы cookie' });

  test('hears the very first press on the page, although that press loads more code', { tag: '@once' }, async ({
    page,
  }) => {
    const code = /\/assets\/background-.*\.js$/;
    // It is on its way for as long as the press takes.
    await page.route(code, () => undefined);
    await page.goto('/cases');
    const isAsked = page.waitForRequest(code);
    await banner(page).getByRole('button', { name: 'Закрыть' }).hover();
    await page.mouse.down();
    await isAsked;
    await page.mouse.up();
    expect(await page.evaluate(() => sessionStorage.getItem('podium.cookieBannerClosed'))).toBe('1');
  });

  test('comes over nothing that has the focus', async ({ page }) => {
    await page.clock.install();
    await page.goto('/cases');
    await waitUntilTakenOver(page);
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Оплата и возврат' });
    const isCovered = () =>
      link.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    // At the lower edge, where the banner comes.
    await link.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await link.focus();
    expect(await isCovered()).toBe(false);
    await expect(async () => {
      await page.clock.runFor(1000);
      await expect(banner(page)).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect.poll(isCovered).toBe(false);
    await expect(link).toBeFocused();
  });

  test('never covers the landing’s call to action', async ({ page }) => {
    await page.goto('/');
    await expect(banner(page)).toBeVisible();
    const action = page.getByRole('link', { name: 'Создать первое видео' });
    await expect(async () => {
      const [above, below] = [await action.boundingBox(), await banner(page).boundingBox()];
      if (!above || !below) throw new Error('not laid out');
      const isApart = above.y + above.height <= below.y || above.x + above.width <= below.x;
      expect(isApart).toBe(true);
    }).toPass();
  });
});
