import { beforeAll, describe, expect, test } from 'vitest';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { listAllResults } from '#api/services/gallery/gallery.ts';
import { nameNewResults } from '#api/services/generations/results/result-names.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import type { Result } from '#prisma/generated/client.ts';
import type { Product } from '#shared/contract/products.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  createGeneration,
  createImageResult,
  createPhoto,
  createVideoResult,
  keepPhoto,
} from '#tests/support/factories.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let photo: Buffer;
beforeAll(async () => {
  photo = await drawJpeg(300, 400);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (user: TestUser, method: Method, url: string, payload?: object) =>
  testApp.call(user, { method, url, ...(payload ? { payload } : {}) });
const newUser = () => registerVerified(testApp);
const create = async (user: TestUser, article: string, name?: string): Promise<Product> =>
  (await call(user, 'POST', '/api/products', { article, ...(name ? { name } : {}) })).json();
const assign = (user: TestUser, payload: object) => call(user, 'POST', '/api/products/assign', payload);
const titlesOf = async (user: TestUser, query = '') => {
  const { items } = (await call(user, 'GET', `/api/results${query}`)).json();
  return items.map(
    (item: { image?: { title: string }; video?: { title: string } }) => (item.image ?? item.video)?.title,
  );
};

/** A picture that was never renamed. */
const createResult = async (user: TestUser, part: Partial<Result> = {}): Promise<Result> => {
  const { id } = await createImageResult(testApp.app, user.account.id);
  return testApp.app.db.result.update({ where: { id }, data: { title: null, ...part } });
};

describe('products', () => {
  test('are listed newest first, page by page, with a cover and what belongs to them', async () => {
    const user = await newUser();
    const [old, young] = [await create(user, 'ART-1'), await create(user, 'ART-2', 'Платье')];
    const kept = await keepPhoto(testApp.app, user.account.id, photo);
    const result = await createResult(user);
    await assign(user, { article: 'art-1', photoIds: [kept.id], itemIds: [result.id] });
    const first = (await call(user, 'GET', '/api/products?limit=1')).json();
    expect(first.products).toEqual([{ ...young, name: 'Платье', coverUrl: null, photos: 0, results: 0 }]);
    const second = (await call(user, 'GET', `/api/products?limit=1&cursor=${first.nextCursor}`)).json();
    expect(second).toEqual({
      products: [
        {
          ...old,
          photos: 1,
          results: 1,
          coverUrl: `/media/results/${result.generationId}/${result.position}/thumbnail`,
        },
      ],
      nextCursor: null,
    });
    await call(user, 'DELETE', `/api/gallery/${result.id}`);
    expect((await call(user, 'GET', `/api/products/${old.id}`)).json()).toMatchObject({
      results: 0,
      coverUrl: `/media/photos/${kept.id}/thumbnail`,
    });
  });

  test.each([
    ['пл-7', ['ПЛ-77']],
    ['ПЛАТЬЕ', ['ПЛ-77']],
    ['платье пл', ['ПЛ-77']],
    ['%', []],
    ['[', []],
  ])('are found by %j in article and name, in any case', async (search, articles) => {
    const user = await newUser();
    await create(user, 'ПЛ-77', 'Платье летнее');
    await create(user, 'ЮБ-1');
    const found = (await call(user, 'GET', `/api/products?search=${encodeURIComponent(search)}`)).json();
    expect(found.products.map(({ article }: Product) => article)).toEqual(articles);
  });

  test('have one article each, whatever its case; another account may have the same', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await create(user, 'Art-5');
    expect((await call(user, 'POST', '/api/products', { article: ' ART-5 ' })).json()).toMatchObject({
      code: 'article_taken',
    });
    expect((await call(other, 'POST', '/api/products', { article: 'ART-5' })).statusCode).toBe(200);
    const third = await create(user, 'ART-6');
    const taken = await call(user, 'PATCH', `/api/products/${third.id}`, { article: 'aRT-5', name: 'Новое' });
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'article_taken']);
    expect((await call(user, 'GET', `/api/products/${third.id}`)).json()).toEqual(third);
    expect((await call(user, 'PATCH', `/api/products/${third.id}`, { article: 'Art-6', name: null })).json()).toEqual({
      ...third,
      article: 'Art-6',
    });
  });

  test.each([
    [{}, 'article'],
    [{ article: '' }, 'article'],
    [{ article: '   ' }, 'article'],
    [{ article: 'a\nb' }, 'article'],
    [{ article: 'ж'.repeat(61) }, 'article'],
    [{ article: 5 }, 'article'],
    [{ article: 'ART-1', name: 'ж'.repeat(121) }, 'name'],
  ])('are not created from %j', async (body, field) => {
    const answer = await call(await newUser(), 'POST', '/api/products', body);
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, [field]]);
  });

  test('of another account are refused by every call', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { id } = await create(other, 'ART-1');
    for (const [method, url, body] of [
      ['GET', `/api/products/${id}`],
      ['PATCH', `/api/products/${id}`, { name: 'x' }],
      ['DELETE', `/api/products/${id}`],
      ['GET', `/api/results?product=${id}`],
      ['GET', `/api/photos?product=${id}`],
    ] as const) {
      const answer = await call(user, method, url, body);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'product_forbidden']);
    }
    expect((await call(other, 'GET', `/api/products/${id}`)).statusCode).toBe(200);
  });

  test('that are renamed and deleted at the same time end in one of both ways', async () => {
    const user = await newUser();
    for (let round = 0; round < 5; round++) {
      const { id } = await create(user, `A-${round}`);
      const answers = await Promise.all([
        call(user, 'PATCH', `/api/products/${id}`, { article: `B-${round}` }),
        call(user, 'PATCH', `/api/products/${id}`, { article: `C-${round}` }),
        call(user, 'DELETE', `/api/products/${id}`),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => ![200, 204, 404].includes(status))).toEqual(
        [],
      );
      expect((await call(user, 'GET', `/api/products/${id}`)).statusCode).toBe(404);
    }
  });

  test('when deleted leave their photos, their results and the names of these', async () => {
    const user = await newUser();
    const kept = await keepPhoto(testApp.app, user.account.id, photo);
    const [plain, renamed] = [await createResult(user), await createResult(user, { title: 'Главное' })];
    const { product } = (
      await assign(user, { article: 'ART-9', photoIds: [kept.id], itemIds: [plain.id, renamed.id] })
    ).json();
    expect((await call(user, 'DELETE', `/api/products/${product.id}`)).statusCode).toBe(204);
    const { photos } = (await call(user, 'GET', '/api/photos')).json();
    expect(photos.map(({ product: of }: { product: unknown }) => of)).toEqual(photos.map(() => null));
    expect(await titlesOf(user)).toEqual(['Главное', 'ART-9, Фотосессия 1, кадр 1']);
    // The same article again goes on counting.
    await assign(user, { article: 'ART-9', itemIds: [renamed.id] });
    expect((await call(user, 'GET', '/api/results')).json().items[0].image).toMatchObject({ number: 3 });
  });
});

describe('a photo', () => {
  const upload = async (user: TestUser, name: string, folder?: string) => {
    const query = folder === undefined ? '' : `?folder=${encodeURIComponent(folder)}`;
    const { body, headers } = await encodeFileForm('image', { content: photo, name, type: 'image/jpeg' });
    return (await testApp.call(user, { method: 'POST', url: `/api/upload${query}`, payload: body, headers })).json();
  };

  test('suggests the article of its file or its folder, and belongs at once to a product that has it', async () => {
    const user = await newUser();
    expect(await upload(user, 'ART-123_1.jpg')).toMatchObject({ product: null, guessedArticle: 'ART-123' });
    expect(await upload(user, 'IMG_1.jpg', 'ПЛ-77')).toMatchObject({ product: null, guessedArticle: 'ПЛ-77' });
    expect(await upload(user, 'IMG_1.jpg')).toMatchObject({ product: null, guessedArticle: null });
    expect((await call(user, 'GET', '/api/products')).json().products).toEqual([]);
    const { id } = await create(user, 'art-123');
    expect(await upload(user, 'ART-123_2.jpg')).toMatchObject({
      product: { id, article: 'art-123' },
      guessedArticle: null,
    });
  });

  test('creates its product with the first generation, which inherits it, and so do its results', async () => {
    const user = await newUser();
    const { id: imageId } = await upload(user, 'ART-123_1.jpg');
    const { generationId } = await startGeneration(testApp.app, {
      account: user.account,
      kind: 'video',
      photos: { subject: { imageId } },
      choice: videoSettings.parse({}),
      key: null,
    });
    const [product] = (await call(user, 'GET', '/api/products')).json().products;
    expect(product).toMatchObject({ article: 'ART-123', photos: 1 });
    const generation = await testApp.app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(generation.productId).toBe(product.id);
    const names = await testApp.app.db.$transaction((tx) => nameNewResults(tx, generation));
    expect(names).toEqual({ productId: product.id, photoName: 'ART-123_1', number: 1 });
  });

  test('whose guess its owner refuses has none any more', async () => {
    const user = await newUser();
    const { id } = await upload(user, 'ART-123.jpg');
    expect((await assign(user, { article: null, photoIds: [id] })).json()).toEqual({ product: null });
    expect((await call(user, 'GET', '/api/photos')).json().photos).toMatchObject([
      { product: null, guessedArticle: null },
    ]);
  });

  test('takes what was made from it along to another product, but not what stands elsewhere', async () => {
    const user = await newUser();
    const kept = await createPhoto(testApp.app, user.account.id);
    const generationId = await createGeneration(testApp.app, user.account.id, 'photosession', 'completed', kept);
    const [stays, follows] = [await createResult(user), await createResult(user)];
    for (const [position, { id }] of [stays, follows].entries()) {
      await testApp.app.db.result.update({ where: { id }, data: { generationId, position } });
    }
    await assign(user, { article: 'A-1', itemIds: [stays.id] });
    await assign(user, { article: 'B-1', photoIds: [kept.id] });
    expect(await titlesOf(user, '?sort=oldest')).toEqual(['A-1, Фотосессия 1, кадр 1', 'B-1, Фотосессия 1, кадр 2']);
    const { productId } = await testApp.app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect((await call(user, 'GET', `/api/products/${productId}`)).json().article).toBe('B-1');
  });

  test('is found among the others by name, article and product, page by page', async () => {
    const user = await newUser();
    const ids: string[] = [];
    for (const name of ['Первое.jpg', 'Второе.jpg', 'ART-5.jpg']) {
      ids.push((await keepPhoto(testApp.app, user.account.id, photo, name)).id);
    }
    const [first, second, third] = ids;
    const { product } = (await assign(user, { article: 'ПЛ-1', photoIds: [first] })).json();
    const find = async (query: string) => {
      const { photos } = (await call(user, 'GET', `/api/photos?${query}`)).json();
      return photos.map(({ id }: { id: string }) => id);
    };
    expect(await find('search=второе')).toEqual([second]);
    expect(await find('search=art')).toEqual([third]);
    expect(await find('search=пл-1')).toEqual([first]);
    expect(await find(`product=${product.id}`)).toEqual([first]);
    const page = (await call(user, 'GET', '/api/photos?limit=2')).json();
    expect(page.photos.map(({ id }: { id: string }) => id)).toEqual([third, second]);
    expect(await find(`limit=2&cursor=${page.nextCursor}`)).toEqual([first]);
    const broken = await call(user, 'GET', `/api/photos?cursor=${product.id}`);
    expect([broken.statusCode, broken.json().code]).toEqual([400, 'invalid_request']);
  });
});

describe('results', () => {
  test('of one name and tool are numbered on, whatever is deleted or moved', async () => {
    const user = await newUser();
    const [first, second] = [await createResult(user), await createResult(user)];
    await assign(user, { article: 'A-1', itemIds: [first.id, second.id] });
    await assign(user, { article: null, itemIds: [second.id] });
    await assign(user, { article: 'A-1', itemIds: [second.id] });
    const third = await createResult(user);
    await assign(user, { article: 'a-1', itemIds: [third.id] });
    expect(await titlesOf(user, '?sort=oldest')).toEqual([
      'A-1, Фотосессия 1, кадр 1',
      'A-1, Фотосессия 3, кадр 1',
      'A-1, Фотосессия 4, кадр 1',
    ]);
  });

  test('are assigned all or not at all', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const [own, foreign] = [await createResult(user), await createResult(other)];
    for (const [payload, status, code] of [
      [{ article: 'A-1', itemIds: [own.id, foreign.id] }, 403, 'image_forbidden'],
      [{ article: 'A-1', itemIds: [own.id, 'нет'] }, 404, 'image_not_found'],
      [{ article: 'A-1', itemIds: [own.id], photoIds: ['нет'] }, 404, 'photo_not_found'],
      [{ article: '', itemIds: [own.id] }, 400, 'invalid_request'],
    ] as const) {
      const answer = await assign(user, payload);
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    }
    expect((await call(user, 'GET', '/api/products')).json().products).toEqual([]);
  });

  test('stand in one list with videos, by product and by search', async () => {
    const user = await newUser();
    const picture = await createResult(user);
    const video = await createVideoResult(testApp.app, user.account.id);
    const { product } = (await assign(user, { article: 'ПЛ-5', itemIds: [video.generationId] })).json();
    expect(await titlesOf(user)).toEqual(['ПЛ-5, Видео 1', 'Фото, Фотосессия 1, кадр 1']);
    expect(await titlesOf(user, '?sort=oldest&limit=1')).toEqual(['Фото, Фотосессия 1, кадр 1']);
    expect(await titlesOf(user, `?product=${product.id}`)).toEqual(['ПЛ-5, Видео 1']);
    for (const [search, found] of [
      ['пл-5', 1],
      ['фотосессия', 1],
      ['видео пл', 1],
      ['видео фотосессия', 0],
      ['фото', 2],
      ['кадр 1', 1],
      ['Фото, Фотосессия 1, кадр 1', 1],
      ['кадр 2', 0],
    ] as const) {
      const titles = await titlesOf(user, `?search=${encodeURIComponent(search)}`);
      expect([search, titles.length]).toEqual([search, found]);
    }
    const { items } = (await call(user, 'GET', '/api/results')).json();
    expect(items).toMatchObject([
      { kind: 'video', video: { videoId: video.generationId, fileName: 'ПЛ-5_Видео_1.mp4', product } },
      { kind: 'image', image: { id: picture.id, fileName: 'Фото_Фотосессия_1-1.jpg', product: null } },
    ]);
  });

  test.each(['results', 'products', 'photos'])('in the list %s are not looked for by a NUL', async (list) => {
    const answer = await call(await newUser(), 'GET', `/api/${list}?search=%00`);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  test('of a large account are looked at in parts: a part may have none, and its cursor leads on', async () => {
    const user = await newUser();
    const wanted = await createResult(user);
    for (let count = 0; count < 4; count++) await createVideoResult(testApp.app, user.account.id);
    const owner = { id: user.account.id, premium: await getPremiumStatus(testApp.app, user.account.id) };
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const asked = { search: 'кадр', sort: 'newest', limit: 10, ...(cursor && { cursor }) } as const;
      const { items, nextCursor } = await listAllResults(testApp.app, owner, asked, 2);
      pages.push(items.map((item) => (item.kind === 'image' ? item.image.id : item.video.videoId)));
      cursor = nextCursor;
    }
    expect(pages).toEqual([[], [], [wanted.id]]);
  });

  test('found by a search are listed page by page', async () => {
    const user = await newUser();
    for (let count = 0; count < 3; count++) await createResult(user);
    const first = (await call(user, 'GET', '/api/results?search=кадр&limit=2')).json();
    const second = (await call(user, 'GET', `/api/results?search=кадр&limit=2&cursor=${first.nextCursor}`)).json();
    const ids = [...first.items, ...second.items].map(({ image }: { image: { id: string } }) => image.id);
    expect([first.items.length, new Set(ids).size, second.nextCursor]).toEqual([2, 3, null]);
  });

  test('are renamed one by one, many by a template, and get their usual names back', async () => {
    const user = await newUser();
    const [first, second] = [await createResult(user), await createResult(user)];
    await assign(user, { article: 'A-1', itemIds: [first.id, second.id] });
    const rename = (ids: string[], title: string | null) => call(user, 'POST', '/api/gallery/rename', { ids, title });
    expect((await rename([first.id], 'Главное фото')).json().names).toEqual([
      { id: first.id, title: 'Главное фото', fileName: 'Главное_фото.jpg' },
    ]);
    await rename([first.id, second.id], '{артикул} кадр {№}');
    expect(await titlesOf(user, '?sort=oldest')).toEqual(['A-1 кадр 1', 'A-1 кадр 2']);
    expect(await titlesOf(user, '?search=кадр 2')).toEqual(['A-1 кадр 2']);
    await rename([first.id], null);
    expect(await titlesOf(user, '?sort=oldest&limit=1')).toEqual(['A-1, Фотосессия 1, кадр 1']);
    const [foreign, unknown] = [await createResult(await newUser()), 'нет'];
    for (const [id, status] of [
      [foreign.id, 403],
      [unknown, 404],
    ] as const) {
      expect((await rename([second.id, id], 'x')).statusCode).toBe(status);
    }
    for (const title of ['', 'a\nb', 'ж'.repeat(121)]) expect((await rename([second.id], title)).statusCode).toBe(400);
    expect(await titlesOf(user, '?limit=1')).toEqual(['A-1 кадр 2']);
  });
});
