import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readMailedCode } from '#tests/support/running-server.ts';

export const PASSWORD = 'пароль-подиум';

/** Registers through the page and confirms the e-mail with the mailed code; ends on /app. */
export async function registerThroughPage(page: Page): Promise<{ email: string }> {
  const email = `${randomUUID()}@example.com`;
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Регистрация' }).click();
  // A press that comes before the page's code has loaded takes effect afterwards.
  await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
  await expect(page).toHaveURL(/\/verify-email/);
  await expect(page.getByText('Успешная регистрация')).toBeVisible();
  await expect(page.getByText('Требуется подтверждение email').first()).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('textbox').fill(await readCodeMailedTo(email));
  await expect(page).toHaveURL(/\/app$/);
  return { email };
}

/** Chooses a product photo in the page's first chooser, and waits until it is there. */
export async function choosePhoto(page: Page, size = { width: 600, height: 800 }): Promise<void> {
  const buffer = await drawProductPhoto('garment', size);
  await page.locator('input[type=file]').first().setInputFiles({ name: 'платье.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText('платье.jpg')).toBeVisible();
}

/** Presses what downloads a file, and reads it. */
export async function saveFile(page: Page, press: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** The code of the newest mail to this address. */
export function readCodeMailedTo(email: string): Promise<string> {
  return readMailedCode(dataDir(), email);
}

/** Until a video's copy with the logo is made, the browser notes each look for it as an error. */
const COPY_IS_AWAITED = /status of 409 .*\/api\/video-proxy\//;

/** Collects the browser's errors: of the console, of scripts and of the security policy. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const complaint = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !COPY_IS_AWAITED.test(complaint)) complaints.push(complaint);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

function dataDir(): string {
  const folder = process.env.E2E_DATA_DIR;
  if (!folder) throw new Error('E2E_DATA_DIR is set by playwright.config.ts');
  return folder;
}
