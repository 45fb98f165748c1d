import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKETPLACES } from '#shared/rules/marketplaces.ts';
import {
  arrangePack,
  DEFAULT_PACK_TEMPLATE,
  EXTRA_FOLDER,
  estimateBytes,
  listCollisions,
  moveToExtra,
  PACK_BYTES_MAX,
  PACK_KEPT_BYTES_MAX,
  PACKS_MADE_AT_ONCE,
  type PackItem,
  planFile,
} from '#shared/rules/packs.ts';

const sizes = { width: fc.integer({ min: 16, max: 9000 }), height: fc.integer({ min: 16, max: 9000 }) };
const picture = fc.record({
  ...sizes,
  contentType: fc.constantFrom('image/jpeg', 'image/png', 'image/webp'),
  bytes: fc.integer({ min: 1, max: 60_000_000 }),
  durationSeconds: fc.constant(null),
});
const video = fc.record({
  ...sizes,
  contentType: fc.constant('video/mp4'),
  bytes: fc.integer({ min: 1, max: 200_000_000 }),
  durationSeconds: fc.double({ min: 0.5, max: 400, noNaN: true }),
});
const item: fc.Arbitrary<PackItem> = fc
  .record({
    file: fc.oneof(picture, video),
    article: fc.constantFrom('ART-1', 'art-1', 'ПЛ/204', 'ПЛ 204', null),
    photoName: fc.constantFrom('Фото', 'IMG'),
    number: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ file, ...name }) => ({
    ...file,
    named: {
      ...name,
      title: null,
      kind: file.durationSeconds === null ? 'photosession' : 'video',
      made: file.durationSeconds === null ? 'photosession' : 'video',
      position: 0,
    },
  }));

describe('the plan of a picture', () => {
  it('gives a 3:4 picture of a size that the marketplace takes, or says why not', () => {
    fc.assert(
      fc.property(picture, fc.constantFrom(...MARKETPLACES), (file, marketplace) => {
        const { picture: plan, problems } = planFile(file, marketplace);
        if (problems.length > 0) return;
        const { crop = null, pad = null, resize = null } = plan ?? {};
        const base = crop ?? file;
        const framed = {
          width: base.width + (pad?.left ?? 0) + (pad?.right ?? 0),
          height: base.height + (pad?.top ?? 0) + (pad?.bottom ?? 0),
        };
        const { width, height } = resize ?? framed;
        // A pixel more or less is much of a tiny picture.
        expect(Math.abs(width / height / 0.75 - 1)).toBeLessThan(Math.max(0.02, 1 / width));
        if (marketplace !== 'wildberries') return;
        expect(width).toBeGreaterThanOrEqual(900);
        expect(height).toBeGreaterThanOrEqual(1200);
        expect(Math.max(width, height)).toBeLessThanOrEqual(8000);
      }),
    );
  });
});

describe('the files of a pack', () => {
  it('are all results, each once, under different names by the usual template', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.constantFrom(...MARKETPLACES), (items, marketplace) => {
        const files = arrangePack(items, { marketplace, template: DEFAULT_PACK_TEMPLATE });
        expect(new Set(files.map((file) => file.item))).toEqual(new Set(items));
        expect(files).toHaveLength(items.length);
        expect(listCollisions(files)).toEqual([]);
      }),
    );
  });

  it('are no more in a card than the marketplace takes, pictures first', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 120 }), (items) => {
        const files = arrangePack(items, { marketplace: 'wildberries', template: DEFAULT_PACK_TEMPLATE });
        for (const group of Map.groupBy(files, ({ item: { named } }) =>
          (named.article ?? named.photoName).toLowerCase().replace(/[ /]/g, '_'),
        ).values()) {
          const card = group.filter(({ extra }) => extra === null).map((file) => file.item.durationSeconds !== null);
          expect(card.filter((isVideo) => isVideo).length).toBeLessThanOrEqual(1);
          expect(card.filter((isVideo) => !isVideo).length).toBeLessThanOrEqual(30);
          expect(card).toEqual([...card].sort());
        }
      }),
    );
  });

  it('with names that differ in case alone collide', () => {
    expect(listCollisions([{ path: 'a.jpg' }, { path: 'A.jpg' }, { path: 'b.jpg' }])).toEqual(['a.jpg']);
  });
});

describe('a file that cannot be made fit', () => {
  const named = {
    ...{ article: 'A/1', photoName: 'Фото', title: null, position: 0, number: 1 },
    ...({ kind: 'photosession', made: 'photosession' } as const),
  };
  const png = { width: 1600, height: 1600, contentType: 'image/png', bytes: 10, durationSeconds: null, named };

  it('lies apart under its own type, with all reasons', () => {
    const [first] = arrangePack([png, { ...png, named: { ...named, article: 'B' } }], {
      marketplace: 'wildberries',
      template: 'v1.5 {№}',
    });
    if (!first) throw new Error('nothing was arranged');
    expect(first.path).toBe('A_1/v1.5_1.jpg');
    const moved = moveToExtra(first, 'не открывается');
    expect(moved).toMatchObject({ path: `${EXTRA_FOLDER}/A_1/v1.5_1.png`, extra: 'не открывается' });
    expect(moved.plan.changes).toEqual([]);
    expect(moveToExtra({ ...moved, extra: 'карточка полна' }, 'не открывается')).toMatchObject({
      path: `${EXTRA_FOLDER}/A_1/v1.5_1.png`,
      extra: 'карточка полна; не открывается',
    });
  });

  it('weighs as much as its original, and a video that is lengthened twice as much', () => {
    const clip = { ...png, width: 810, height: 1080, contentType: 'video/mp4', durationSeconds: 5 };
    const order = { template: DEFAULT_PACK_TEMPLATE };
    expect(estimateBytes(arrangePack([png, clip], { ...order, marketplace: 'ozon' }))).toBe(30);
    expect(estimateBytes(arrangePack([png, clip], { ...order, marketplace: 'wildberries' }))).toBe(20);
  });
});

it('the largest packs that an account has made at once are kept together', () => {
  // Only one marketplace asks for a length.
  expect((PACKS_MADE_AT_ONCE + 1) * PACK_BYTES_MAX).toBeLessThanOrEqual(PACK_KEPT_BYTES_MAX);
});
