import { expect, test } from 'vitest';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { assignProduct } from '#api/services/gallery/assign-product.ts';
import { listAllResults } from '#api/services/gallery/gallery.ts';
import { listProducts } from '#api/services/products/products.ts';
import { createAccount, createImageResult, createPhoto } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

test('products of merged accounts with the same article become one, whose results have numbers of their own', async () => {
  const { app } = testApp;
  const [from, into] = [await createAccount(app), await createAccount(app)];
  const create = async (accountId: number, article: string) => {
    const photo = await createPhoto(app, accountId);
    const { id } = await createImageResult(app, accountId, { kind: 'model_change', title: null });
    await assignProduct(app, accountId, { article, photoIds: [photo.id], itemIds: [id] });
  };
  await create(from.id, 'art-1');
  await create(from.id, 'ONLY-1');
  await create(into.id, 'ART-1');
  await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: from.id, intoId: into.id }));

  const { products } = await listProducts(app, into.id, { limit: 10 });
  const counts = products.map(({ article, photos, results }) => ({ article, photos, results }));
  expect(counts).toEqual([
    { article: 'ART-1', photos: 2, results: 2 },
    { article: 'ONLY-1', photos: 1, results: 1 },
  ]);
  const owner = { id: into.id, premium: await getPremiumStatus(app, into.id) };
  const { items } = await listAllResults(app, owner, { limit: 10, sort: 'oldest' });
  expect(items.map((item) => (item.kind === 'image' ? item.image.title : item.video.title))).toEqual([
    'ART-1, Смена модели 2',
    'ONLY-1, Смена модели 1',
    'ART-1, Смена модели 1',
  ]);
  // What is made next is counted on.
  await create(into.id, 'only-1');
  const [newest] = (await listAllResults(app, owner, { limit: 1, sort: 'newest' })).items;
  expect(newest).toMatchObject({ image: { title: 'ONLY-1, Смена модели 2' } });
});
