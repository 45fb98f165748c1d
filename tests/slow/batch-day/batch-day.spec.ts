import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type Locator, type Page } from 'playwright/test';
import type { StarHistoryEntry } from '#shared/contract/stars.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#shared/rules/marketplaces.ts';
import { PASSWORD, registerThroughPage, saveFile } from '#tests/e2e/newcomer.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { Visitor } from '#tests/support/running-server.ts';
import { drawFolder, GUESSES, NO_IMAGE, PHOTOS, TOO_SMALL, UNSUITABLE } from './draw-folder.ts';
import { findFaults, listCardFiles, readCsv } from './marketplace-reader.ts';
import { type Program, test } from './program.ts';
import { type BatchAnswer, findWrongSums, type PageWatch, watchBatch, watchPage } from './watch-batch.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** For what the engine does meanwhile, on a machine that may be busy. */
const MAKING = { timeout: 15 * 60_000 };
const REFUSED = 2;
/** Of the photos, all but the one that the engine refuses. */
const DONE = PHOTOS - 1;
const CORRECTED = 'ПЛ-1003';

test('a folder becomes packs for three marketplaces, whatever dies meanwhile', async ({ page, browser, program }, {
  project,
}) => {
  const home = mkdtempSync(path.join(tmpdir(), 'podium-photos-'));
  const folder = path.join(home, 'Осень и зима');
  await drawFolder(folder);
  const seen: PageWatch = { sums: new Set(), presses: 0 };
  await watchPage(page, seen);
  const noteLap = startLaps(project.name);

  const { email } = await registerThroughPage(page);
  noteLap('registered');
  await page.goto('/dashboard/batches');
  await page.getByRole('button', { name: 'Новая партия' }).first().click();
  await expect(page.getByRole('heading', { name: 'Настройки для всех' })).toBeVisible();
  const address = page.url();
  const batchId = new URL(address).searchParams.get('batch') ?? '';
  const visitor = await visitAs(page, program);
  const batch = watchBatch(visitor, batchId);

  await test.step('a folder is dropped, and what is wrong with its files is said in their rows', async () => {
    if (project.name === 'desktop') await dropFolder(page, folder);
    else await page.locator('input[webkitdirectory]').setInputFiles(folder);
    await expect(rowsOf(page)).toHaveCount(PHOTOS + 3);
    noteLap('all rows shown');
    await expect(
      page.getByText(`${PHOTOS} к запуску, 1 повтор, ${REFUSED} не принято: всего ${PHOTOS + 3} фото`),
    ).toBeVisible(MAKING);
    noteLap('all sent');
    await expect(rowOf(page, NO_IMAGE)).toContainText('выберите изображение в формате JPG, PNG или WebP');
    await expect(rowOf(page, TOO_SMALL)).toContainText('Минимальный размер изображения 300x300');
    // Several are sent at a time, so either of the two may be the second.
    const copy = rowsOf(page).filter({ hasText: 'Такое фото уже есть' });
    await expect(copy).toContainText(/^ART-107( копия)?\.jpg/);
    await expect(copy.getByRole('button', { name: /^Артикул ART-107, / })).toBeVisible();
    await copy.getByRole('button', { name: 'Убрать', exact: true }).click();
    await expect(copy).toBeHidden();
  });

  await test.step('articles are guessed, and one is corrected', async () => {
    const { rows } = await read(visitor, batchId);
    const names = rows.map(({ name }) => name).filter((name) => /^ART-10[12]/.test(name));
    expect(names).toEqual(['ART-101_1.jpg', 'ART-101_2.jpg', 'ART-102_1.jpg', 'ART-102_2.jpg']);
    const guesses = new Set(rows.flatMap(({ photo }) => photo?.guessedArticle ?? []));
    expect([...guesses].sort()).toEqual([...GUESSES].sort());
    await page.getByRole('button', { name: 'Артикул ART-103, по имени файла. Изменить' }).click();
    const dialog = page.getByRole('dialog', { name: 'Артикул' });
    await dialog.getByLabel('Артикул').fill(CORRECTED);
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await expect(page.getByRole('button', { name: `Артикул ${CORRECTED}, изменить` })).toBeVisible();
  });

  await test.step('all get a tool and a background, two rows another one, and one of them goes back', async () => {
    await page.getByRole('button', { name: 'Изменить', exact: true }).click();
    await chooseBackground(page, page.getByRole('dialog', { name: 'Настройки для всех' }), 0);
    await expect(page.getByText(/^Смена фона: /)).toBeVisible();
    for (const name of ['ART-104.jpg', 'ART-105.png']) {
      await page.getByRole('button', { name: `Действия: ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Свои настройки' }).click();
      await chooseBackground(page, page.getByRole('dialog', { name: `Настройки: ${name}` }), 1);
      await expect(rowOf(page, name)).toContainText('Свои настройки: Смена фона');
    }
    await page.getByRole('button', { name: 'Действия: ART-105.png' }).click();
    await page.getByRole('menuitem', { name: 'Как у всех' }).click();
    await expect(rowOf(page, 'ART-105.png')).not.toContainText('Свои настройки');
  });

  await test.step('the missing stars are bought, and the purchase leads back', async () => {
    await expect(page.getByText(`Звёзд хватит на 2 из ${PHOTOS}. Остальные подождут.`)).toBeVisible();
    await page.getByRole('region', { name: 'Запуск' }).getByRole('button', { name: 'Купить звезды' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Перейти к оплате/ })
      .click();
    await page.getByRole('button', { name: 'Оплатить' }).click();
    await expect(page.getByRole('heading', { name: 'Оплата прошла успешно!' })).toBeVisible();
    await page.getByRole('link', { name: /^Продолжить/ }).click();
    await expect(page).toHaveURL(address);
  });
  const before = await visitor.getBalance();
  expect(before).toBeGreaterThanOrEqual(PHOTOS + 2);
  noteLap('ready to start');

  await test.step('three are made first and looked at', async () => {
    await page.getByRole('button', { name: /Сначала 3 штуки/ }).click();
    await expect(page.getByText(/^3\sготово, /)).toBeVisible(MAKING);
    noteLap('pilot made');
    await page.getByRole('button', { name: /^Просмотр: осталось 3/ }).click();
    const review = page.getByRole('dialog');
    await expect(review.getByText('Осталось 3', { exact: true })).toBeVisible();
    await expect(review.locator('img').first()).toBeVisible();
    await review.getByRole('button', { name: 'Закрыть' }).click();
    await expect(review).toBeHidden();
  });

  await test.step('the rest is made without a page, although the program is killed twice', async () => {
    await page.getByRole('button', { name: /Запустить остальные/ }).click();
    await expect(page.getByText('Страницу можно закрыть: партия продолжится без неё.')).toBeVisible();
    await page.context().close();
    let made = 3;
    for (let kill = 1; kill <= 2; kill++) {
      const { batch: now } = await batch.until(
        ({ batch: { counts } }) => counts.running > 0 && counts.done >= made + 3,
      );
      made = now.counts.done;
      await program.killAndStart();
      noteLap(`killed at ${made} done with ${now.counts.running} running, and started again`);
    }
    await batch.until(({ batch: { counts } }) => counts.running + counts.waiting === 0);
    noteLap('the rest made');
  });

  const context = await browser.newContext({ baseURL: program.url });
  const later = await context.newPage();
  await watchPage(later, seen);
  await test.step('the address shows the batch on another device, with the one that the engine refused', async () => {
    await later.goto(address);
    await later.getByLabel('Email').fill(email);
    await later.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
    await later.getByLabel('Пароль', { exact: true }).press('Enter');
    await expect(later).toHaveURL(address);
    await expect(
      later.getByText(`${DONE} готово, 1 не вышло, ${REFUSED} не принято: всего ${PHOTOS + REFUSED} фото`),
    ).toBeVisible();
    const row = rowOf(later, UNSUITABLE);
    await expect(row).toContainText('Это фото не подошло для генерации');
    await expect(later.getByRole('button', { name: /^Повторить все неудачные/ })).toBeVisible();
    await row.getByRole('button', { name: /^Повторить/ }).click();
    await batch.until(({ rows }) =>
      rows.some(({ name, attempts, state }) => name === UNSUITABLE && attempts === 2 && state === 'failed'),
    );
    await expect(row.getByRole('button', { name: /^Повторить/ })).toBeVisible();
    await expect(row).toContainText('Это фото не подошло для генерации');
    noteLap('repeated');
  });

  await test.step('the results are reviewed by the keyboard alone', () => review(later, () => read(visitor, batchId)));
  noteLap('reviewed');

  const packs = await test.step('three packs are made and downloaded', async () => {
    const dialog = later.getByRole('dialog', { name: 'Пакеты для маркетплейсов' });
    await dialog.getByRole('button', { name: 'Собрать 3 пакета' }).click();
    await expect(dialog.getByText('Готово: 3 из 3')).toBeVisible(MAKING);
    noteLap('packs made');
    const saved = [];
    for (const marketplace of MARKETPLACES) {
      const { content } = await saveFile(later, () =>
        dialog.getByRole('button', { name: `Скачать: ${MARKETPLACE_NAMES[marketplace]}` }).click(),
      );
      saved.push({ marketplace, files: await readZip(content) });
    }
    return saved;
  });
  noteLap('packs downloaded');

  const { rows } = await read(visitor, batchId);
  const taken = rows.filter(({ isTaken }) => isTaken);
  expect(taken).toHaveLength(DONE - 1);
  let spent = 0;
  for (const { marketplace, files } of packs) {
    expect(await findFaults(files, marketplace), marketplace).toEqual([]);
    const names = listCardFiles(files);
    expect(names).toHaveLength(taken.length);
    expect(names).toContain(`${CORRECTED}/${CORRECTED}_1.jpg`);
    expect(names).toEqual(expect.arrayContaining(['ART-101/ART-101_1.jpg', 'ART-101/ART-101_2.jpg']));
    expect([...files.keys()].filter((name) => name.startsWith('лишнее/'))).toEqual([]);
    const readme = files.get('readme.txt')?.toString() ?? '';
    expect(readme).toContain(MARKETPLACE_NAMES[marketplace]);
    expect(readme.includes('Правило не проверено')).toBe(marketplace !== 'wildberries');

    const [header = [], ...lines] = readCsv(files.get('results.csv') ?? Buffer.alloc(0));
    const cell = (line: string[], column: string) => line[header.indexOf(column)] ?? '';
    expect(lines).toHaveLength(rows.length);
    expect(lines.map((line) => cell(line, 'файл').split('/').at(-1))).toEqual(rows.map(({ name }) => name));
    expect(countEach(lines.map((line) => cell(line, 'состояние')))).toEqual({
      Готово: DONE - 1,
      'Не взято': 1,
      'Не вышло': 1,
      'Не принято': REFUSED,
    });
    const told = lines.flatMap((line) => cell(line, 'файлы').split(', ')).filter((name) => name !== '');
    expect(told.sort()).toEqual(names.sort());
    const stars = lines.map((line) => Number(cell(line, 'звёзды')));
    spent = stars.reduce((sum, one) => sum + one, 0);
    const failed = lines.find((line) => cell(line, 'состояние') === 'Не вышло') ?? [];
    expect(cell(failed, 'причина')).toContain('не подошло');
    expect(cell(failed, 'звёзды')).toBe('0');
  }

  await test.step('the stars add up to the last one', async () => {
    // One star for each that was made, and one for the one that was made again.
    expect(spent).toBe(DONE + 1);
    expect(await visitor.getBalance()).toBe(before - spent);
    const { entries } = await visitor.json<{ entries: StarHistoryEntry[] }>('GET', '/api/stars/history?limit=100');
    expect(entries[0]?.balance).toBe(before - spent);
    expect(entries.reduce((sum, { delta }) => sum + delta, 0)).toBe(before - spent);
    expect(countEach(entries.filter(({ generation }) => generation).map(({ kind }) => kind))).toEqual({
      capture: DONE + 1,
      // What failed twice.
      hold: 2,
      release: 2,
    });
  });

  await batch.stop();
  expect(batch.figures.faults).toEqual([]);
  expect(batch.figures.answers).toBeGreaterThan(100);
  expect(findWrongSums(seen)).toEqual([]);
  expect(seen.sums.size).toBeGreaterThan(5);
  await context.close();
  await program.stop();
  await expect(readBooks(program)).resolves.toContain('Книги сходятся');
  rmSync(home, { recursive: true });
  const { answers, unanswered } = batch.figures;
  noteLap(
    `${seen.presses} presses, ${answers} answers added up (${unanswered} requests without one), ${seen.sums.size} sums on the screen:`,
  );
});

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Строки' }).getByRole('listitem');
const rowOf = (page: Page, name: string) => rowsOf(page).filter({ has: page.getByText(name, { exact: true }) });

const read = (visitor: Visitor, batchId: string) => visitor.json<BatchAnswer>('GET', `/api/batches/${batchId}`);

/** Drops a folder of the disk on the page, as a file manager does. */
async function dropFolder(page: Page, folder: string): Promise<void> {
  const box = await page.getByRole('region', { name: 'Добавить фото' }).boundingBox();
  if (!box) throw new Error('nothing to drop it on');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await expect(page.getByText('Отпустите файлы или папку')).toBeVisible();
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at, data });
  await session.detach();
}

async function chooseBackground(page: Page, dialog: Locator, index: number): Promise<void> {
  const tool = dialog.getByRole('radio', { name: 'Смена фона' });
  if (await tool.isVisible()) await tool.click();
  await dialog.getByRole('radiogroup', { name: 'Фон', exact: true }).getByRole('radio').nth(index).click();
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Takes all results but one, has one made again and takes one decision back, and ends in the dialog of packs. */
async function review(page: Page, readBatch: () => Promise<BatchAnswer>): Promise<void> {
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  const review = async () => (await readBatch()).batch.review;
  // The row that was repeated before stands below it.
  await pressByKeyboard(page, page.getByRole('button', { name: /^Просмотр: осталось/ }), 'Shift+Tab');
  await expect(dialog.getByText(`Осталось ${DONE}`, { exact: true })).toBeVisible();
  await keyboard.press('x');
  await expect.poll(review).toEqual({ left: DONE - 1, taken: 0, notTaken: 1 });
  await keyboard.press('a');
  await expect.poll(review).toEqual({ left: DONE - 2, taken: 1, notTaken: 1 });
  await keyboard.press('z');
  await expect.poll(review).toEqual({ left: DONE - 1, taken: 0, notTaken: 1 });
  const title = dialog.getByRole('heading', { name: /^Просмотр/ });
  const first = await title.innerText();
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await expect(title).not.toHaveText(first);
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await expect(title).toHaveText(first);
  await keyboard.press('r');
  const listRedone = async () =>
    (await readBatch()).rows.filter(({ state, attempts }) => attempts === 2 && state !== 'failed');
  await expect.poll(listRedone, MAKING).toHaveLength(1);
  let taken = 0;
  while (taken < DONE - 1) {
    // At the end the one that is made again may have to be waited for.
    await expect(dialog.getByRole('button', { name: 'Взять', exact: true })).toBeEnabled(MAKING);
    await keyboard.press('a');
    taken += 1;
    await expect.poll(async () => (await review()).taken).toBe(taken);
  }
  await expect(dialog.getByRole('heading', { name: 'Всё просмотрено' })).toBeVisible();
  await expect(dialog.getByText(`Взято: ${DONE - 1}`)).toBeVisible();
  await pressByKeyboard(page, dialog.getByRole('button', { name: 'Собрать пакеты' }), 'Tab');
}

/** Goes to a button as somebody does who has no pointer, forwards or backwards, and presses Enter. */
async function pressByKeyboard(page: Page, button: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  const isFocused = () => button.evaluate((element) => element === document.activeElement);
  await expect(button).toBeVisible();
  for (let tabs = 0; !(await isFocused()); tabs++) {
    if (tabs > 60) throw new Error(`sixty presses of ${key} do not lead to the button`);
    await page.keyboard.press(key);
  }
  await page.keyboard.press('Enter');
}

/** The same person without a page. */
async function visitAs(page: Page, program: Program): Promise<Visitor> {
  const visitor = new Visitor(program);
  const cookies = await page.context().cookies();
  visitor.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return visitor;
}

/** `npm run books` on the data of the program, which has ended. Rejects when a sum does not match. */
async function readBooks({ dataDir }: Program): Promise<string> {
  const env = { ...process.env, DATABASE_URL: '', NODE_ENV: 'development', DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['api/commands/operator.ts', 'books'], {
    cwd: ROOT,
    env,
  });
  return stdout;
}

function countEach(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, same]) => [word, same.length]));
}

/** Prints how long it took until then. */
function startLaps(name: string): (what: string) => void {
  const startedAt = performance.now();
  return (what) => console.log(`${name}: ${what} after ${Math.round((performance.now() - startedAt) / 1000)} s`);
}
