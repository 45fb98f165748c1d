import { describe, expect, test } from 'vitest';
import { putSuitingFirst } from '#shared/rules/suiting-backgrounds.ts';

const backgrounds = [
  { id: 'dunes', suits: ['standing'] },
  { id: 'wall', suits: ['hanging', 'lying'] },
  { id: 'catwalk', suits: ['standing', 'lying'] },
  { id: 'studio', suits: ['standing', 'hanging', 'lying'] },
] as const;
const order = (...args: Parameters<typeof putSuitingFirst<(typeof backgrounds)[number]>>) =>
  putSuitingFirst(...args).map(({ id }) => id);

describe('the order of backgrounds', () => {
  test("begins with what suits the photo, keeps the catalogue's order otherwise and leaves nothing out", () => {
    expect(order(backgrounds, 'garment')).toEqual(['wall', 'studio', 'dunes', 'catwalk']);
    expect(order(backgrounds, 'person')).toEqual(['dunes', 'catwalk', 'studio', 'wall']);
    expect(order(backgrounds, 'shoe')).toEqual(['wall', 'catwalk', 'studio', 'dunes']);
  });

  test("is the catalogue's where nobody knows what the photo shows", () => {
    expect(order(backgrounds, 'unknown')).toEqual(['dunes', 'wall', 'catwalk', 'studio']);
  });
});
