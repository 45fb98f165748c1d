import { describe, expect, it } from 'vitest';
import { backgroundUrl, filterBackgrounds, formatAgeRange } from '#pwa/features/model-changes/catalogue.ts';
import { findSelection } from '#pwa/features/model-changes/selection.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';

const picture = { avifUrl: '', width: 600, height: 800, alt: '' };
function model(id: string, category: CatalogueModel['category'], ageRange: CatalogueModel['ageRange']): CatalogueModel {
  return { id, name: id, category, ageRange, imageUrl: `/attached_assets/${id}.webp`, ...picture };
}
function background(id: string, type: CatalogueBackground['type'], isPremium = false): CatalogueBackground {
  return { id, name: id, type, isPremium, suits: [], description: '', imageUrl: `/backgrounds/${id}.webp`, ...picture };
}
const models = [model('w1', 'women', '18-25'), model('w2', 'women', '26-35'), model('m1', 'men', '18-25')];
const backgrounds = [
  background('luxury', 'studio', true),
  background('white', 'studio'),
  background('dunes', 'themed'),
  background('keep_original', 'keep_original'),
];
const ids = (items: { id: string }[]) => items.map(({ id }) => id);

describe('the catalogue', () => {
  it('puts the photo’s own background first and paid ones last', () => {
    expect(ids(filterBackgrounds(backgrounds, 'all'))).toEqual(['keep_original', 'white', 'dunes', 'luxury']);
    expect(ids(filterBackgrounds(backgrounds, 'studio'))).toEqual(['white', 'luxury']);
  });

  it('sends nothing for a kept background and the exact address otherwise', () => {
    expect(backgroundUrl(background('keep_original', 'keep_original'))).toBe('');
    expect(backgroundUrl(background('white', 'studio'))).toBe('/backgrounds/white.webp');
  });

  it('writes an age range with a dash', () => {
    expect(formatAgeRange('18-25')).toBe('18–25');
  });

  it('finds what was chosen, and nothing for what the operator took away', () => {
    const found = findSelection({ models, backgrounds }, { photo: null, modelId: 'w2', backgroundId: 'gone' });
    expect(found).toEqual({ photo: null, model: models[1], background: null });
  });
});
