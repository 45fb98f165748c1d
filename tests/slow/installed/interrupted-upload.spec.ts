import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Page } from 'playwright/test';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { PASSWORD } from '#tests/e2e/newcomer.ts';
import { drawJpegOfSize } from '#tests/fixtures/photo-files.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { type RunningServer, readMailedCode, startServer } from '#tests/support/running-server.ts';
import { choosePhoto } from './choose-photo.ts';
import { type FrontServer, startFrontServer } from './front-server.ts';
import { test as base, waitForWorker } from './installed.ts';

const NAME = 'пальто.jpg';
const PHOTO_BYTES = 9_000_000;
const UPLOADED = 'Изображение загружено';
const UNDER_WAY = 'Загружаем фото…';
const WAITING = 'Отправится, когда появится связь';

/** A program of the test's own that may be stopped and killed, behind a proxy that stays. */
interface MortalProgram {
  front: FrontServer;
  port: number;
  server: () => RunningServer;
  start: () => Promise<void>;
  countPhotos: () => number;
  countUploads: () => number;
}

const test = base.extend<{ program: MortalProgram }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  program: async ({}, use) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-upload-'));
    const port = await findFreePort();
    const front = await startFrontServer(`http://localhost:${port}`);
    const startOne = () => startServer({ dataDir, port, env: { PUBLIC_URL: front.url } });
    let server = await startOne();
    await use({
      front,
      port,
      server: () => server,
      start: async () => {
        server = await startOne();
      },
      countPhotos: () => globSync('files/photos/*/*/master.jpg', { cwd: dataDir }).length,
      countUploads: () => front.requests.filter((request) => request === 'POST /api/upload').length,
    });
    await server.stop();
    await front.stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
});

/** Registers a person and opens the page of a tool. */
async function openTool(page: Page, { front, server }: MortalProgram): Promise<void> {
  const email = `${randomUUID()}@example.com`;
  const post = async (address: string, data: object) =>
    expect((await page.request.post(front.url + address, { data })).ok()).toBe(true);
  await post('/api/register', { email, password: PASSWORD, consentVersion: DOCUMENTS_VERSION });
  await post('/api/verify-email', { verificationCode: await readMailedCode(server().dataDir, email) });
  await page.goto(`${front.url}/dashboard/create-video`);
  await waitForWorker(page);
}

async function expectOnePhoto(page: Page, program: MortalProgram): Promise<void> {
  expect(program.countPhotos()).toBe(1);
  // The page remembers its photo, and the server has it.
  await page.reload();
  await expect(page.getByText(NAME)).toBeVisible();
  await expect
    .poll(() => page.locator('main .drop img').evaluate((picture: HTMLImageElement) => picture.naturalWidth))
    .toBeGreaterThan(0);
  expect(await (await page.request.get(`${program.front.url}/api/stars/balance`)).json()).toEqual({ balance: 2 });
}

/** Resolves when nobody listens on the port any more: the server has begun to stop. */
async function waitUntilNobodyListens(port: number): Promise<void> {
  await expect
    .poll(async () => {
      const socket = connect(port, 'localhost');
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      socket.destroy();
      return isOpen;
    })
    .toBe(false);
}

test('a large photo under way when the server stops still arrives', async ({ page, program }) => {
  await openTool(page, program);
  const upload = program.front.holdUpload('photo');
  await choosePhoto(page, NAME, await drawJpegOfSize(PHOTO_BYTES));
  await upload.isHeld;
  await expect(page.getByText(UNDER_WAY)).toBeVisible();
  program.server().signal('SIGTERM');
  await waitUntilNobodyListens(program.port);
  upload.release();
  await expect(page.getByText(UPLOADED)).toBeVisible();
  await expect.poll(() => program.server().exitCode()).toBe(0);
  expect(program.countUploads()).toBe(1);
  await program.start();
  await expectOnePhoto(page, program);
});

test('a photo whose server is killed waits, says so, and is sent by itself when the server is back', async ({
  page,
  program,
}) => {
  await openTool(page, program);
  const upload = program.front.holdUpload('photo');
  await choosePhoto(page, NAME, await drawJpegOfSize(PHOTO_BYTES));
  await upload.isHeld;
  await program.server().kill();
  await expect(page.getByRole('status').filter({ hasText: WAITING })).toBeVisible();
  await expect(page.getByText(NAME)).toBeVisible();
  expect(program.countPhotos()).toBe(0);
  await program.start();
  await expect(page.getByText(UPLOADED)).toBeVisible();
  await expect(page.getByText(WAITING)).toBeHidden();
  await expectOnePhoto(page, program);
});

test('a photo whose answer was lost is sent again and stays one photo', async ({ page, program }) => {
  await openTool(page, program);
  const upload = program.front.holdUpload('answer');
  await choosePhoto(page, NAME);
  await upload.isHeld;
  expect(program.countPhotos()).toBe(1);
  upload.cut();
  await expect(page.getByText(UPLOADED)).toBeVisible();
  expect(program.countUploads()).toBe(2);
  await expectOnePhoto(page, program);
});
