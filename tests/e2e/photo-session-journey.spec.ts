import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { readZip } from '#tests/support/read-zip.ts';
import { creditPayment, setPace, signInAsNew } from './fixture.ts';
import { choosePhoto, collectComplaints, saveFile } from './newcomer.ts';

async function startSession(page: Page): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/photosession'));
  await page.getByRole('button', { name: 'Создать фотосессию (2 звезды)' }).click();
  await expect(page.getByText('Обработка...').first()).toBeVisible();
  // The page says so at the press; the session is there once the server has said so.
  await answer;
}

/** Stands in for the share sheet, which needs a press as that of a browser does. */
async function letShare(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shared: string[] = [];
    Object.assign(globalThis, { shared });
    Object.assign(Navigator.prototype, {
      canShare: () => true,
      async share({ files = [] }: ShareData) {
        if (!navigator.userActivation.isActive) throw new DOMException('no press', 'NotAllowedError');
        shared.push(...files.map(({ name }) => name));
      },
    });
  });
}

const readShared = (page: Page) => page.evaluate(() => (globalThis as { shared?: string[] }).shared);

test('one photo becomes five frames, seen as they come, taken away once there is a payment', { tag: '@phone' }, async ({
  page,
}) => {
  const owner = await signInAsNew(page, { stars: 2, pace: 'begun' });
  const complaints = collectComplaints(page);
  await letShare(page);
  await page.goto('/dashboard/photoshoot');
  await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
  await choosePhoto(page);
  const warning = page.getByText('В этой фотографии 600×800 пикселей: крупных планов не будет');
  await expect(warning).toBeVisible();
  await choosePhoto(page, { width: 900, height: 1200 });
  await expect(warning).toBeHidden();
  await startSession(page);

  await page.reload();
  await expect(page.getByText('Продолжение генерации')).toBeVisible();
  const frames = page.getByRole('button', { name: /^Увеличить: Кадр/ });
  await expect(frames).toHaveCount(1);
  await setPace(owner, 'instant');
  await expect(page.getByRole('button', { name: 'Создать новую' })).toBeVisible();
  await expect(page.getByText('Фотосессия готова!')).toBeVisible();
  await expect(frames).toHaveCount(5);
  await expect(page.getByText('Водяной знак', { exact: true })).toHaveCount(5);

  await frames.first().click();
  const viewer = page.getByRole('dialog');
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText('2 из 5')).toBeVisible();
  await viewer.getByRole('button', { name: 'Увеличить' }).click();
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);

  await page.getByRole('button', { name: 'Скачать: Кадр 1' }).click();
  await expect(page.getByRole('dialog').getByText('Бесплатный пользователь')).toBeVisible();
  await page.keyboard.press('Escape');
  await creditPayment(owner);
  await page.getByRole('button', { name: 'Скачать: Кадр 1' }).click();
  await expect(page.getByRole('dialog').getByText('Платный пользователь (1 покупка)')).toBeVisible();
  const frame = await saveFile(page, () => page.getByRole('button', { name: 'Скачать оригинал' }).click());
  const { width = 0, height = 0, format } = await sharp(frame.content).metadata();
  expect([format, width / height]).toEqual(['jpeg', expect.closeTo(3 / 4, 2)]);
  await expect(page.getByRole('dialog')).toBeHidden();

  const archive = await saveFile(page, () => page.getByRole('button', { name: 'Скачать все (ZIP)' }).click());
  expect(archive.name).toMatch(/\.zip$/);
  const files = await readZip(archive.content);
  expect([...files.keys()].filter((name) => name.endsWith('.jpg'))).toHaveLength(5);
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('button', { name: 'Поделиться' }).click();
  await expect(page.getByText('Файлы готовы')).toBeVisible();
  expect(await readShared(page)).toEqual([]);
  await page.getByRole('button', { name: 'Поделиться' }).click();
  await expect
    .poll(() => readShared(page))
    .toEqual([1, 2, 3, 4, 5].map((frame) => expect.stringMatching(`-${frame}\\.jpg$`)));

  await page.getByRole('button', { name: 'Создать новую' }).click();
  await choosePhoto(page);
  await expect(page.getByText('Недостаточно звезд для генерации')).toBeVisible();
});
