import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKETPLACES } from '#shared/rules/marketplaces.ts';
import { arrangePack, DEFAULT_PACK_TEMPLATE, listCollisions, type PackItem, planFile } from '#shared/rules/packs.ts';

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
        expect(Math.abs(width / height / 0.75 - 1)).toBeLessThan(0.02);
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
