import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { readZip } from '#tests/support/read-zip.ts';
import { addImages, addVideo, signInAsNew } from './fixture.ts';
import { collectComplaints, saveFile } from './newcomer.ts';

const cards = (page: Page) => page.getByRole('article');

test('a paid owner finds, sorts, takes away, deletes and reuses what was made', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page, { isPaid: true });
  const complaints = collectComplaints(page);
  await page.goto('/dashboard/gallery');
  await expect(page.getByText('Галерея пуста')).toBeVisible();
  // One more than a page of the list holds.
  await addImages(owner, { kind: 'model_change', title: 'Кадр', count: 61, width: 150, height: 200 });
  await addImages(owner, { kind: 'photosession', title: 'Квадрат', width: 900, height: 900 });
  await addImages(owner, { kind: 'photosession', title: 'Платье', width: 900, height: 1200 });
  await page.getByRole('button', { name: 'Обновить' }).click();
  await expect(page.getByRole('heading', { name: 'Платье' })).toBeVisible();

  await test.step('filters, sorts and shows more as the end comes near', async () => {
    await page.getByRole('tab', { name: 'Изображения' }).click();
    await page.getByRole('radio', { name: 'Генерация фото' }).click();
    await expect(cards(page)).toHaveCount(2);
    await page.getByRole('radio', { name: 'Смена фона' }).click();
    await expect(cards(page).first()).toContainText('Кадр 61');
    const oldest = page.getByRole('heading', { name: 'Кадр 1', exact: true });
    await expect(async () => {
      await page.mouse.wheel(0, 4000);
      await expect(oldest).toBeVisible({ timeout: 300 });
    }).toPass({ timeout: 20_000 });
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('button', { name: 'Сначала новые' }).click();
    await expect(cards(page).first()).toContainText('Кадр 1');
    await page.getByRole('radio', { name: 'Все', exact: true }).click();
    await page.getByRole('button', { name: 'Сначала старые' }).click();
    await expect(cards(page).first()).toContainText('Платье');
  });

  await test.step('keeps its place when its owner comes back', async () => {
    const firstOnScreen = () =>
      cards(page).evaluateAll((all) => {
        const card = all.find((one) => one.getBoundingClientRect().top >= 0);
        return card && `${card.querySelector('h3')?.textContent} at ${Math.round(card.getBoundingClientRect().top)}`;
      });
    await page.evaluate(() => scrollTo(0, 3000));
    await expect.poll(firstOnScreen).toContain('Кадр');
    const left = await firstOnScreen();
    // A click of Playwright would scroll to the link first.
    await page
      .getByRole('link', { name: 'Настройки' })
      .first()
      .evaluate((link: HTMLAnchorElement) => link.click());
    await expect(page.getByRole('heading', { level: 1, name: 'Настройки' })).toBeVisible();
    await page.goBack();
    await expect(cards(page).first()).toBeVisible();
    expect(await firstOnScreen()).toBe(left);
    await page.reload();
    await expect.poll(firstOnScreen).toBe(left);
  });

  await test.step('selects two and takes them away as a ZIP of originals', async () => {
    await page.getByRole('button', { name: 'Выбрать', exact: true }).click();
    for (const title of ['Платье', 'Квадрат', 'Кадр 61', 'Кадр 61']) {
      await page.getByRole('button', { name: new RegExp(`^Выбрать: ${title},`) }).click();
    }
    await expect(page.getByText('Выбрано: 2')).toBeVisible();
    const zip = await saveFile(page, () => page.getByRole('button', { name: 'Скачать ZIP' }).click());
    expect([...(await readZip(zip.content)).keys()].sort()).toEqual(['Квадрат.jpg', 'Платье.jpg']);
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: 'Отменить выбор' }).click();
  });

  await test.step('deletes one, brings it back, and another for good', async () => {
    const remove = async (title: string) => {
      await page.getByRole('button', { name: `Действия: ${title}`, exact: true }).click();
      await page.getByRole('button', { name: `Удалить: ${title}`, exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Вы уверены, что хотите удалить это изображение?' });
      await question.getByRole('button', { name: 'Удалить' }).click();
      // While somebody points at it, it stays, and its button can be pressed however busy the machine is.
      await page.getByText('Изображение удалено').hover();
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeHidden();
    };
    await remove('Платье');
    await page.getByRole('button', { name: 'Отменить' }).click();
    await expect(page.getByRole('heading', { name: 'Платье', exact: true })).toBeVisible();
    const card = cards(page).filter({ hasText: 'Кадр 60' });
    const address = await card.locator('img').first().getAttribute('src');
    await remove('Кадр 60');
    expect((await page.request.get(address ?? '')).status()).toBe(404);
  });

  await test.step('makes a picture and a video fit for a marketplace', async () => {
    await page.getByRole('button', { name: 'Действия: Квадрат' }).click();
    await page.getByRole('button', { name: 'Для маркетплейсов' }).click();
    const dialog = page.getByRole('dialog', { name: 'Для маркетплейсов' });
    await expect(dialog.getByText('Wildberries')).toBeVisible();
    const padded = await saveFile(page, () =>
      dialog.getByRole('button', { name: 'Добавить поля до 3:4' }).first().click(),
    );
    expect(padded.name).toBe('Квадрат-pad-3-4.jpg');
    expect(await sharp(padded.content).metadata()).toMatchObject({ width: 900, height: 1200 });
    await expect(dialog).toBeHidden();

    await addVideo(owner);
    await page.getByRole('tab', { name: 'Видео' }).click();
    await page.getByRole('button', { name: /^Действия: Видео/ }).click();
    await page.getByRole('button', { name: 'Для маркетплейсов' }).click();
    const looped = await saveFile(page, () =>
      dialog.getByRole('button', { name: 'Зациклить до 10 секунд' }).first().click(),
    );
    expect(looped.name).toMatch(/loop-10s\.mp4$/);
    expect(looped.content.toString('latin1', 4, 8)).toBe('ftyp');
    await expect(dialog).toBeHidden();
  });

  await test.step('opens a recent picture from the start page, and «Back» closes it', async () => {
    await page.goto('/app');
    await page.getByRole('link', { name: /Платье/ }).click();
    const viewer = page.getByRole('dialog', { name: 'Платье' });
    await expect(viewer).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\/gallery$/);
    await page.goBack();
    await expect(viewer).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Галерея', exact: true })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Недавние результаты' })).toBeVisible();
  });

  await test.step('begins a video from a picture', async () => {
    await page.goto('/dashboard/create-video');
    await page.getByRole('button', { name: /^(Выбрать из|Из) галереи$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Выбрать из галереи' });
    await dialog.getByRole('tab', { name: 'Результаты' }).click();
    await dialog.getByRole('radio', { name: /^Платье/ }).click();
    await dialog.getByRole('button', { name: 'Выбрать', exact: true }).click();
    await expect(page.getByText('Изображение "Платье" выбрано из галереи')).toBeVisible();
    await expect(page.getByRole('button', { name: /Создать видео/ })).toBeEnabled();
  });
  // The photos of made-up results have no files.
  expect(complaints.filter((text) => !/status of (404|410 .*\/media\/photos\/)/.test(text))).toEqual([]);
});

test('what was deleted comes back from «Недавно удалённые», with the keyboard alone and at 320 px', {
  tag: '@once',
}, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Пальто', width: 600, height: 800 });
  await addImages(owner, { kind: 'model_change', title: 'Юбка', width: 600, height: 800 });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/dashboard/gallery');
  for (const title of ['Пальто', 'Юбка']) {
    await page.getByRole('button', { name: `Действия: ${title}` }).press('Enter');
    await page.getByRole('button', { name: `Удалить: ${title}` }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).press('Enter');
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeHidden();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeFocused();
  await page.getByRole('button', { name: 'Вид и выбор' }).press('Enter');
  await page.getByRole('link', { name: 'Недавно удалённые' }).press('Enter');
  await expect(cards(page)).toHaveCount(2);
  // The last one first, with the logo that a free owner sees anywhere.
  await expect(cards(page).first()).toContainText('Юбка');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await page.getByRole('button', { name: 'Удалить сейчас: Юбка' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Удалить навсегда?' });
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Удалить сейчас: Юбка' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Удалить навсегда' }).press('Enter');
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1, name: 'Недавно удалённые' })).toBeFocused();

  await page.getByRole('button', { name: 'Восстановить: Пальто' }).press('Enter');
  await expect(page.getByText('Удалённого нет')).toBeVisible();
  await page.goto('/dashboard/gallery');
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText('Пальто');
});

test('on a phone the pictures begin near the top, and a long press begins a selection', { tag: '@phone' }, async ({
  page,
}) => {
  const owner = await signInAsNew(page, { isPaid: true });
  await addImages(owner, { kind: 'model_change', title: 'Пальто', count: 3 });
  await page.goto('/dashboard/gallery');
  const picture = page.getByRole('button', { name: /^Открыть: Пальто 3/ });
  await expect(picture).toBeVisible();
  expect((await picture.boundingBox())?.y).toBeLessThanOrEqual(200);
  await expect(page.getByRole('button', { name: 'Обновить' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'На главную', exact: true })).toBeVisible();

  const { x = 0, y = 0 } = (await picture.boundingBox()) ?? {};
  const finger = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 60, y: y + 60 }];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const bar = page.getByRole('region', { name: 'Выбранное' });
  await expect(bar).toContainText('Выбрано: 1');
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(bar).toContainText('Выбрано: 1');
  await page.getByRole('button', { name: /^Выбрать: Пальто 2/ }).tap();
  await expect(bar).toContainText('Выбрано: 2');
});
