import { randomUUID } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { ProcessStopError } from '#api/queue/process-stop-error.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { makePack } from '#api/services/packs/make-pack.ts';
import { failAbandonedPacks, removeOldPacks } from '#api/services/packs/packs.ts';
import type { Pack as PackRecord, Result } from '#prisma/generated/client.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import type { Pack, PackPreview, PackSubject } from '#shared/contract/packs.ts';
import { MARKETPLACES, type Marketplace } from '#shared/rules/marketplaces.ts';
import {
  DEFAULT_PACK_TEMPLATE,
  PACK_ENCODED_VIDEOS_MAX,
  PACK_KEPT_BYTES_MAX,
  PACKS_MADE_AT_ONCE,
  PACKS_MAX,
} from '#shared/rules/packs.ts';
import { useBatchHarness } from '#tests/support/batch-harness.ts';
import { createGeneration, createImageResult, createPhoto, createVideoResult } from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import type { TestUser } from '#tests/support/users.ts';

const { harness, testApp, createUser, post, create } = useBatchHarness();
const { call } = testApp;
const { waitUntil } = harness;
afterEach(() => vi.restoreAllMocks());

interface Order {
  id?: string;
  marketplace?: Marketplace;
  template?: string;
  subject: PackSubject;
}

const orderOf = ({
  id = randomUUID(),
  marketplace = 'wildberries',
  template = DEFAULT_PACK_TEMPLATE,
  subject,
}: Order) => ({
  ...{ id, marketplace, template, subject },
});

const ask = (user: TestUser, order: Order) =>
  call(user, { method: 'POST', url: '/api/packs', payload: orderOf(order) });

const preview = (user: TestUser, order: Order): Promise<PackPreview> => {
  const { id: _id, ...payload } = orderOf(order);
  return post(user, '/api/packs/preview', payload);
};

async function list(user: TestUser): Promise<Pack[]> {
  return (await call(user, { url: '/api/packs' })).json().packs;
}

/** Orders a pack, and waits until it is over. */
async function makePackOf(user: TestUser, order: Order): Promise<Pack> {
  const { id } = await post<Pack>(user, '/api/packs', orderOf(order));
  return waitUntil(async () => {
    const pack = (await list(user)).find((one) => one.id === id);
    expect(pack?.status).not.toBe('making');
    return pack as Pack;
  });
}

async function download(user: TestUser, { id, failure }: Pack): Promise<Map<string, Buffer>> {
  expect(failure).toBeNull();
  const answer = await call(user, { url: `/api/packs/${id}/file` });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  expect(answer.headers['content-type']).toBe('application/zip');
  return readZip(answer.rawPayload);
}

const readText = (files: Map<string, Buffer>, name: string): string => (files.get(name) ?? Buffer.alloc(0)).toString();

/** Results that belong to a product. */
async function createProductOf(user: TestUser, article: string, results: readonly Result[]): Promise<string> {
  const product = await post<{ id: string }>(user, '/api/products', { article });
  await testApp.app.db.result.updateMany({
    where: { id: { in: results.map(({ id }) => id) } },
    data: { productId: product.id },
  });
  return product.id;
}

const pictureOf = (user: TestUser, width: number, height: number, bytes = 0) =>
  createImageResult(testApp.app, user.account.id, { width, height, bytes, title: null });

/** What marketplaces ask of pictures and videos, written down once more from their help pages. */
const WANTED: Record<Marketplace, { shortest: number; longest: number; megabytes: number; seconds: number }> = {
  wildberries: { shortest: 900, longest: 8000, megabytes: 32, seconds: 0 },
  ozon: { shortest: 900, longest: 8000, megabytes: 100, seconds: 8 },
  yandex_market: { shortest: 900, longest: 8000, megabytes: 100, seconds: 0 },
};

async function expectToFit(name: string, content: Buffer, marketplace: Marketplace): Promise<void> {
  const wanted = WANTED[marketplace];
  expect(content.length, name).toBeLessThanOrEqual(wanted.megabytes * 1_000_000);
  if (name.endsWith('.mp4')) {
    const facts = await withTemporaryFolder(testApp.app, async (folder) => {
      const file = path.join(folder, 'video.mp4');
      await writeFile(file, content);
      return testApp.app.videoEncoder.probe(file);
    });
    expect(facts.durationSeconds, name).toBeGreaterThanOrEqual(wanted.seconds - 0.05);
    if (marketplace !== 'ozon') return;
    const long = Math.max(facts.width, facts.height);
    expect(long).toBeGreaterThanOrEqual(1080);
    expect(long).toBeLessThanOrEqual(1920);
    return;
  }
  const { format, width, height, space } = await sharp(content).metadata();
  expect({ name, format, space }).toEqual({ name, format: 'jpeg', space: 'srgb' });
  expect(Math.abs(width / height / 0.75 - 1), name).toBeLessThan(0.01);
  expect(width, name).toBeGreaterThanOrEqual(wanted.shortest);
  expect(height, name).toBeLessThanOrEqual(wanted.longest);
}

describe('a pack of a product', () => {
  test.each(MARKETPLACES)(
    'for %s holds what it takes, the main picture first, and tells what was changed',
    async (marketplace) => {
      const user = await createUser();
      const { id: accountId } = user.account;
      const main = await pictureOf(user, 1200, 1600);
      const square = await pictureOf(user, 1200, 1200);
      const tall = await pictureOf(user, 1200, 1700);
      const small = await pictureOf(user, 900, 1200);
      // Narrow, so that few pixels are encoded.
      const video = await createVideoResult(testApp.app, accountId, { width: 120, height: 768, seconds: 1 });
      const productId = await createProductOf(user, 'ПЛ-204', [main, square, tall, small, video]);
      const pack = await makePackOf(user, { marketplace, subject: { productId } });
      const files = await download(user, pack);
      expect([...files.keys()]).toEqual([
        'ПЛ-204_1.jpg',
        'ПЛ-204_2.jpg',
        'ПЛ-204_3.jpg',
        'ПЛ-204_4.jpg',
        'ПЛ-204_5.mp4',
        'results.csv',
        'readme.txt',
      ]);
      for (const [name, content] of files) {
        if (!/\.(csv|txt)$/.test(name)) await expectToFit(name, content, marketplace);
      }
      // What fits already is not encoded again.
      expect(files.get('ПЛ-204_1.jpg')?.equals(await testApp.app.storage.read(main.originalKey))).toBe(true);
      const readme = readText(files, 'readme.txt');
      expect(readme).toContain('ПЛ-204_2.jpg: дополнена полями до 3:4');
      expect(readme).toContain('ПЛ-204_3.jpg: кадрирована до 3:4');
      expect(readme).toContain('ПЛ-204_4.jpg: увеличена с 900×1200 до 1200×1600');
      expect(readme.includes('ПЛ-204_5.mp4: увеличено с 120×768 до 170×1080, удлинено с 1 до 8 с или больше')).toBe(
        marketplace === 'ozon',
      );
      expect(readme).toContain('Правило не проверено');
      expect(pack).toMatchObject({ total: 5, done: 5, extra: 0, status: 'ready', productId, title: 'ПЛ-204' });
      expect(pack.bytes).toBeGreaterThan(0);
    },
  );

  it('lays apart what a card takes no more of and what cannot be made fit, with the reason', async () => {
    const user = await createUser();
    const { id: accountId } = user.account;
    const fits = await pictureOf(user, 1200, 1600);
    const tiny = await pictureOf(user, 300, 400);
    const first = await createVideoResult(testApp.app, accountId, { seconds: 1 });
    const second = await createVideoResult(testApp.app, accountId, { seconds: 1 });
    const productId = await createProductOf(user, 'A-1', [fits, tiny, first, second]);
    const pack = await makePackOf(user, { subject: { productId } });
    const files = await download(user, pack);
    expect([...files.keys()].filter((name) => name.startsWith('лишнее/'))).toEqual([
      'лишнее/A-1_2.jpg',
      'лишнее/A-1_4.mp4',
    ]);
    const readme = readText(files, 'readme.txt');
    expect(readme).toContain('лишнее/A-1_2.jpg: нужно не меньше 900×1200 пикселей, а у картинки 300×400');
    expect(readme).toContain('лишнее/A-1_4.mp4: карточка принимает не больше 1 видео');
    expect(pack.extra).toBe(2);
  });

  it('makes a picture smaller that weighs too much', async () => {
    const user = await createUser();
    const heavy = await pictureOf(user, 1200, 1600, 33_000_000);
    const productId = await createProductOf(user, 'T-1', [heavy]);
    const files = await download(user, await makePackOf(user, { subject: { productId } }));
    await expectToFit('T-1_1.jpg', files.get('T-1_1.jpg') ?? Buffer.alloc(0), 'wildberries');
    expect(readText(files, 'readme.txt')).toContain('T-1_1.jpg: сжата до 32 МБ');
  });

  it('lays a broken file apart, as it is, and keeps the others', async () => {
    const user = await createUser();
    const fits = await pictureOf(user, 1200, 1600);
    const broken = await pictureOf(user, 1600, 1600);
    const video = await createVideoResult(testApp.app, user.account.id, { width: 120, height: 768, seconds: 1 });
    for (const { originalKey, bytes } of [broken, video]) {
      await testApp.app.storage.put(originalKey, Buffer.alloc(bytes, 'broken'), 'image/png');
    }
    await testApp.app.db.result.update({ where: { id: broken.id }, data: { contentType: 'image/png' } });
    const productId = await createProductOf(user, 'K-1', [fits, broken, video]);
    const pack = await makePackOf(user, { marketplace: 'ozon', subject: { productId } });
    const files = await download(user, pack);
    expect([...files.keys()].slice(0, 3)).toEqual(['K-1_1.jpg', 'лишнее/K-1_2.png', 'лишнее/K-1_3.mp4']);
    expect(files.get('лишнее/K-1_2.png')?.equals(Buffer.alloc(broken.bytes, 'broken'))).toBe(true);
    const readme = readText(files, 'readme.txt');
    expect(readme).toContain('лишнее/K-1_2.png: не удалось обработать');
    expect(readme).toContain('лишнее/K-1_3.mp4: не удалось обработать');
    expect(readme).not.toContain('дополнена');
    expect(pack).toMatchObject({ extra: 2, done: 3 });
  });

  /** Videos that are lengthened get too heavy, and shrinking makes them this large. */
  function shrinkTo(bytes: number): void {
    vi.spyOn(testApp.app.videoEncoder, 'transform').mockImplementation(async ({ outputPath, change: { kind } }) => {
      await writeFile(outputPath, '');
      await truncate(outputPath, kind === 'shrink' ? bytes : 100_000_001);
    });
  }

  it('tells that a video was shrunk that other changes have made too heavy', async () => {
    const user = await createUser();
    const video = await createVideoResult(testApp.app, user.account.id, { width: 120, height: 1080, seconds: 1 });
    const productId = await createProductOf(user, 'V-1', [video]);
    shrinkTo(1_000);
    const files = await download(user, await makePackOf(user, { marketplace: 'ozon', subject: { productId } }));
    expect(files.get('V-1_1.mp4')).toHaveLength(1_000);
    expect(readText(files, 'readme.txt')).toContain('без видимого стыка, сжато до 100 МБ');
  });

  it('lays a video apart that stays too heavy', async () => {
    const user = await createUser();
    const video = await createVideoResult(testApp.app, user.account.id, { width: 120, height: 1080, seconds: 1 });
    const productId = await createProductOf(user, 'V-2', [video]);
    shrinkTo(100_000_001);
    const files = await download(user, await makePackOf(user, { marketplace: 'ozon', subject: { productId } }));
    expect(files.get('лишнее/V-2_1.mp4')).toHaveLength(video.bytes);
    expect(readText(files, 'readme.txt')).toContain('лишнее/V-2_1.mp4: не сжимается до размера');
  });

  it('leaves out lost files and says so, and fails only when none is left', async () => {
    const user = await createUser();
    const kept = await pictureOf(user, 1200, 1600);
    const lost = await pictureOf(user, 1200, 1600);
    const productId = await createProductOf(user, 'L-1', [kept, lost]);
    await testApp.app.storage.remove(lost.originalKey);
    const files = await download(user, await makePackOf(user, { subject: { productId } }));
    expect([...files.keys()]).toEqual(['L-1_1.jpg', 'results.csv', 'readme.txt']);
    expect(readText(files, 'readme.txt')).toContain('- L-1_2.jpg');
    await testApp.app.storage.remove(kept.originalKey);
    const pack = await makePackOf(user, { subject: { productId } });
    expect(pack).toMatchObject({ status: 'failed', expiresAt: null, bytes: null });
    expect(pack.failure).not.toBeNull();
  });
});

describe('a pack of a batch', () => {
  /** A batch whose rows have ended so. */
  async function createEnded(user: TestUser, rows: { isTaken: boolean | null; article: string; name: string }[]) {
    const { id: accountId } = user.account;
    const { id: batchId } = await create(user);
    const results: Result[] = [];
    for (const [position, { isTaken, article, name }] of rows.entries()) {
      const photo = await createPhoto(testApp.app, accountId);
      const generationId = await createGeneration(testApp.app, accountId, 'model_change', 'completed', photo);
      const result = await createImageResult(testApp.app, accountId, {
        generationId,
        kind: 'model_change',
        title: null,
        width: 1200,
        height: 1600,
      });
      const productId = await createProductOf(user, article, [result]);
      await testApp.app.db.photo.update({ where: { id: photo.id }, data: { productId } });
      const rowId = randomUUID();
      await testApp.app.db.batchRow.create({
        data: {
          ...{ id: rowId, batchId, position, name, isTaken, generationId },
          ...{ stage: 'started', photoId: photo.id, note: 'Красное', attempts: 1 },
        },
      });
      await testApp.app.db.generation.update({ where: { id: generationId }, data: { batchId, batchRowId: rowId } });
      results.push(result);
    }
    return { batchId, results };
  }

  it('holds what was taken, in a folder for each article, and mirrors the table with what has become of each line', async () => {
    const user = await createUser();
    const { batchId } = await createEnded(user, [
      { isTaken: true, article: 'B-1', name: 'b1.jpg' },
      { isTaken: false, article: 'B-2', name: 'b2.jpg' },
      { isTaken: null, article: 'B-3', name: 'b3.jpg' },
      { isTaken: true, article: 'B-4', name: 'b4.jpg' },
    ]);
    await testApp.app.db.batchRow.create({
      data: {
        ...{ id: randomUUID(), batchId, position: 4, name: 'bad.txt', stage: 'refused' },
        refusalCode: 'photo_not_image',
      },
    });
    const pack = await makePackOf(user, { subject: { batchId } });
    const files = await download(user, pack);
    expect([...files.keys()]).toEqual(['B-1/B-1_1.jpg', 'B-4/B-4_1.jpg', 'results.csv', 'readme.txt']);
    const lines = readText(files, 'results.csv')
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(';'));
    expect(lines[0]).toEqual(['артикул', 'файл', 'набор', 'примечание', 'состояние', 'причина', 'файлы', 'звёзды']);
    expect(lines.slice(1).map(([article, file, , note, state, , made]) => [article, file, note, state, made])).toEqual([
      ['B-1', 'b1.jpg', 'Красное', 'Готово', 'B-1/B-1_1.jpg'],
      ['B-2', 'b2.jpg', 'Красное', 'Не взято', ''],
      ['B-3', 'b3.jpg', 'Красное', 'Не взято', ''],
      ['B-4', 'b4.jpg', 'Красное', 'Готово', 'B-4/B-4_1.jpg'],
      ['', 'bad.txt', '', 'Не принято', ''],
    ]);
    expect(lines[5]?.[5]).not.toBe('');
  });

  it('is refused while nothing was taken', async () => {
    const user = await createUser();
    const { batchId } = await createEnded(user, [{ isTaken: null, article: 'N-1', name: 'n.jpg' }]);
    const answer = await ask(user, { subject: { batchId } });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'pack_empty']);
  });
});

describe('an order of a pack', () => {
  async function createWithPicture(options: { isPaid?: boolean } = {}) {
    const user = await createUser(options);
    const picture = await pictureOf(user, 1200, 1600);
    return { user, picture, subject: { itemIds: [picture.id] } };
  }

  /** A pack that is being made, of which no job is sent. */
  function createMaking(user: TestUser, { id: resultId }: Result, part: Partial<PackRecord> = {}) {
    return testApp.app.db.pack.create({
      data: {
        ...{ id: randomUUID(), accountId: user.account.id, marketplace: 'wildberries', title: 'x', fileName: 'x.zip' },
        ...{ template: DEFAULT_PACK_TEMPLATE, resultIds: [resultId], ...part },
      },
    });
  }

  it('is for accounts that have paid, and so is its file; the preview is for all', async () => {
    const { user, subject } = await createWithPicture({ isPaid: false });
    expect((await preview(user, { subject })).files).toHaveLength(1);
    expect((await ask(user, { subject })).statusCode).toBe(402);
    expect(await list(user)).toEqual([]);
  });

  it('keeps the order of a choice, and counts its names as the template says', async () => {
    const { user, picture } = await createWithPicture();
    const other = await pictureOf(user, 1200, 1600);
    const { files, collisions } = await preview(user, {
      subject: { itemIds: [other.id, picture.id] },
      template: '{инструмент} {№}',
    });
    expect(files.map(({ path }) => path)).toEqual(['Фотосессия_1.jpg', 'Фотосессия_2.jpg']);
    expect(files[0]?.thumbnailUrl).toContain(other.generationId);
    expect(collisions).toEqual([]);
  });

  it('is refused where two files would have one name', async () => {
    const { user, picture } = await createWithPicture();
    const other = await pictureOf(user, 1200, 1600);
    const order = { subject: { itemIds: [picture.id, other.id] }, template: 'фото' };
    expect((await preview(user, order)).collisions).toEqual(['фото.jpg']);
    const answer = await ask(user, order);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'pack_names_collide']);
  });

  it('that is repeated is one pack, and the id of somebody else is refused', async () => {
    const { user, subject } = await createWithPicture();
    const id = randomUUID();
    const [first, second] = await Promise.all([ask(user, { id, subject }), ask(user, { id, subject })]);
    expect([first.statusCode, second.statusCode, first.json().id]).toEqual([200, 200, id]);
    expect(await list(user)).toHaveLength(1);
    const stranger = await createWithPicture();
    expect((await ask(stranger.user, { id, subject: stranger.subject })).json().code).toBe('pack_forbidden');
    for (const [method, url] of [
      ['GET', `/api/packs/${id}/file`],
      ['DELETE', `/api/packs/${id}`],
    ] as const) {
      expect((await call(stranger.user, { method, url })).statusCode).toBe(403);
    }
    const foreign = await ask(stranger.user, { subject });
    expect(foreign.json().code).toBe('image_forbidden');
  });

  it('waits while as many are being made, and the oldest ones give way', async () => {
    const { user, subject } = await createWithPicture();
    const { id: accountId } = user.account;
    const facts = { accountId, marketplace: 'ozon', title: 'x', template: 'x', fileName: 'x.zip', resultIds: [] };
    await testApp.app.db.pack.createMany({
      data: Array.from({ length: PACKS_MAX }, (_, index) => ({
        ...facts,
        ...{
          id: randomUUID(),
          status: 'failed' as const,
          finishedAt: new Date(),
          createdAt: new Date(1_700_000_000_000 + index),
        },
      })),
    });
    const pack = await makePackOf(user, { subject });
    const kept = await list(user);
    expect(kept.length).toBeLessThanOrEqual(PACKS_MAX);
    expect(kept[0]?.id).toBe(pack.id);
    await testApp.app.db.pack.createMany({
      data: Array.from({ length: PACKS_MADE_AT_ONCE }, () => ({ ...facts, id: randomUUID() })),
    });
    expect((await ask(user, { subject })).json().code).toBe('packs_busy');
  });

  it('tells the pages of its owner when it is ready, and removes the file with the pack', async () => {
    const { user, subject } = await createWithPicture();
    const pack = await makePackOf(user, { subject });
    const key = `packs/${user.account.id}/${pack.id}/pack.zip`;
    expect(await testApp.app.storage.findSize(key)).toBe(pack.bytes);
    expect((await call(user, { method: 'DELETE', url: `/api/packs/${pack.id}` })).statusCode).toBe(204);
    expect(await testApp.app.storage.findSize(key)).toBeNull();
    expect((await call(user, { url: `/api/packs/${pack.id}/file` })).statusCode).toBe(404);
  });

  it('makes the oldest packs give way that have too many bytes together', async () => {
    const { user, subject } = await createWithPicture();
    const [oldest, older] = [await makePackOf(user, { subject }), await makePackOf(user, { subject })];
    await testApp.app.db.pack.update({ where: { id: oldest.id }, data: { bytes: 1 } });
    await testApp.app.db.pack.update({ where: { id: older.id }, data: { bytes: PACK_KEPT_BYTES_MAX - 1_000_000 } });
    const second = await makePackOf(user, { subject });
    expect((await list(user)).map(({ id }) => id)).toEqual([second.id, older.id, oldest.id]);
    await testApp.app.db.pack.update({ where: { id: second.id }, data: { bytes: 1_000_000 } });
    const third = await makePackOf(user, { subject });
    expect((await list(user)).map(({ id }) => id)).toEqual([third.id, second.id]);
    await waitUntil(async () => {
      for (const { id } of [older, oldest]) {
        expect(await testApp.app.storage.findSize(`packs/${user.account.id}/${id}/pack.zip`)).toBeNull();
      }
    });
  });

  it('is refused while its files would make the room scarce, and waits for room where it is made', async () => {
    const { user, picture, subject } = await createWithPicture();
    const free = vi.spyOn(testApp.app.storage, 'findFreeBytes');
    free.mockResolvedValue(2 * 1024 ** 3 + picture.bytes - 1);
    expect((await ask(user, { subject })).json().code).toBe('storage_full');
    expect(await list(user)).toEqual([]);
    const { id } = await createMaking(user, picture);
    await expect(makePack(testApp.app, id, new AbortController().signal)).rejects.toThrow();
    free.mockResolvedValue(2 * 1024 ** 3 + picture.bytes);
    await makePack(testApp.app, id, new AbortController().signal);
    expect((await makePackOf(user, { subject })).status).toBe('ready');
    expect((await list(user)).map(({ status }) => status)).toEqual(['ready', 'ready']);
  });

  it('has no more videos that are encoded again than hold up the others for long', async () => {
    const user = await createUser();
    const { id: _id, ...video } = await createVideoResult(testApp.app, user.account.id, { width: 120, height: 1080 });
    const many = Array.from({ length: PACK_ENCODED_VIDEOS_MAX }, (_, index) => ({ ...video, position: index + 1 }));
    await testApp.app.db.result.createMany({ data: many });
    const results = await testApp.app.db.result.findMany({ where: { accountId: user.account.id } });
    const productId = await createProductOf(user, 'M-1', results);
    expect((await preview(user, { subject: { productId } })).files).toHaveLength(PACK_ENCODED_VIDEOS_MAX + 1);
    const answer = await ask(user, { marketplace: 'ozon', subject: { productId } });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'pack_too_large']);
  });

  it('of who has some already waits behind the first ones of others', async () => {
    const [busy, other] = [await createWithPicture(), await createWithPicture()];
    const begun = Promise.withResolvers<void>();
    const isAllOrdered = Promise.withResolvers<void>();
    const { storage } = testApp.app;
    const open = storage.open.bind(storage);
    vi.spyOn(storage, 'open').mockImplementation(async (...args) => {
      begun.resolve();
      await isAllOrdered.promise;
      return open(...args);
    });
    const ordered: string[] = [];
    for (const { user, subject } of [busy, busy, busy, other]) {
      ordered.push((await ask(user, { subject })).json().id);
      await begun.promise;
    }
    isAllOrdered.resolve();
    const made = await waitUntil(async () => {
      const packs = await testApp.app.db.pack.findMany({
        where: { id: { in: ordered }, status: 'ready' },
        orderBy: { finishedAt: 'asc' },
      });
      expect(packs).toHaveLength(4);
      return packs.map(({ id }) => ordered.indexOf(id));
    });
    expect(made).toEqual([0, 3, 1, 2]);
  });

  it('that nobody makes any more has failed after a day, and holds up no others', async () => {
    const { user, picture, subject } = await createWithPicture();
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    for (let index = 0; index < PACKS_MADE_AT_ONCE; index++)
      await createMaking(user, picture, { createdAt: hours(25) });
    const young = await createMaking(await createUser(), picture, { createdAt: hours(23) });
    expect((await ask(user, { subject })).json().code).toBe('packs_busy');
    const heard: unknown[] = [];
    const stop = await testApp.app.accountEvents.listen((event) => heard.push(event));
    expect(await failAbandonedPacks(testApp.app)).toBe(PACKS_MADE_AT_ONCE);
    const packs = await list(user);
    expect(packs.map(({ failure }) => failure)).toEqual(packs.map(() => ERRORS.pack_failed.message));
    await waitUntil(async () => {
      for (const { id } of packs) expect(heard).toContainEqual({ accountId: user.account.id, event: 'pack', id });
    });
    await stop();
    expect((await testApp.app.db.pack.findUniqueOrThrow({ where: { id: young.id } })).status).toBe('making');
    expect((await makePackOf(user, { subject })).status).toBe('ready');
  });

  it('gives a second file of one name a number, as articles may have changed meanwhile', async () => {
    const { user, picture } = await createWithPicture();
    const [other, broken] = [await pictureOf(user, 1200, 1600), await pictureOf(user, 1600, 1600)];
    const tiny = await pictureOf(user, 300, 400);
    await testApp.app.storage.put(broken.originalKey, Buffer.alloc(broken.bytes, 'broken'), 'image/jpeg');
    const resultIds = [picture, other, tiny, broken].map(({ id }) => id);
    const { id } = await createMaking(user, picture, { template: 'Фото', resultIds });
    await makePack(testApp.app, id, new AbortController().signal);
    const pack = (await list(user)).find((one) => one.id === id) as Pack;
    const files = await download(user, pack);
    const names = ['Фото.jpg', 'Фото_2.jpg', 'лишнее/Фото.jpg', 'лишнее/Фото_2.jpg'];
    expect([...files.keys()]).toEqual([...names, 'results.csv', 'readme.txt']);
    const table = readText(files, 'results.csv');
    for (const name of names) expect(table).toContain(`;${name};`);
    expect(readText(files, 'readme.txt')).toContain('лишнее/Фото_2.jpg: не удалось обработать');
    expect(pack.template).toBe('Фото');
  });

  it('that waited for a process that stopped, or for a storage, has all its attempts', async () => {
    const { user, picture } = await createWithPicture();
    const { id } = await createMaking(user, picture, { attempts: 4 });
    const attempts = async () => (await testApp.app.db.pack.findUniqueOrThrow({ where: { id } })).attempts;
    const stop = new AbortController();
    stop.abort(new ProcessStopError());
    await expect(makePack(testApp.app, id, stop.signal)).rejects.toThrow();
    expect(await attempts()).toBe(4);
    vi.spyOn(testApp.app.storage, 'open').mockRejectedValue(new StorageUnavailableError(new Error('nobody answers')));
    await expect(makePack(testApp.app, id, new AbortController().signal)).rejects.toThrow();
    expect(await attempts()).toBe(4);
    const createdAt = new Date(Date.now() - 31 * 60_000);
    await testApp.app.db.pack.update({ where: { id }, data: { createdAt } });
    await makePack(testApp.app, id, new AbortController().signal);
    expect((await list(user))[0]?.failure).toBe(ERRORS.storage_unavailable.message);
  });

  it('that takes too long is tried again as often as one that crashes', async () => {
    const { user, picture } = await createWithPicture();
    const { id } = await createMaking(user, picture, { attempts: 3 });
    const expired = new AbortController();
    expired.abort();
    await expect(makePack(testApp.app, id, expired.signal)).rejects.toThrow();
    expect((await list(user))[0]?.status).toBe('making');
    await makePack(testApp.app, id, expired.signal);
    expect((await list(user))[0]?.failure).toBe(ERRORS.pack_failed.message);
  });

  it('is kept for a week', async () => {
    const { user, subject } = await createWithPicture();
    const pack = await makePackOf(user, { subject });
    await removeOldPacks(testApp.app);
    expect(await list(user)).toHaveLength(1);
    await testApp.app.db.pack.update({
      where: { id: pack.id },
      data: { finishedAt: new Date(Date.now() - 7.1 * 24 * 3_600_000) },
    });
    await removeOldPacks(testApp.app);
    expect(await list(user)).toEqual([]);
    expect(await testApp.app.storage.findSize(`packs/${user.account.id}/${pack.id}/pack.zip`)).toBeNull();
  });

  it('that was interrupted is made again by the next run, and given up after several', async () => {
    const { user, picture } = await createWithPicture();
    const interrupted = await createMaking(user, picture, { attempts: 2, done: 1 });
    await makePack(testApp.app, interrupted.id, new AbortController().signal);
    const crashing = await createMaking(user, picture, { attempts: 5 });
    await makePack(testApp.app, crashing.id, new AbortController().signal);
    const states = new Map((await list(user)).map(({ id, status }) => [id, status]));
    expect([states.get(interrupted.id), states.get(crashing.id)]).toEqual(['ready', 'failed']);
  });
});
