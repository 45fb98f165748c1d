import { describe, expect, it } from 'vitest';
import { countImages, describeShortfall, warnOfPhoto } from '#pwa/features/photosessions/describe-photosession.ts';
import { ALL_POSITIONS } from '#pwa/features/photosessions/photosession-tool.ts';
import { sampleResult } from '#tests/pwa/support/samples.ts';

const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;

describe('the words of a photo session', () => {
  it('says how many images there are', () => {
    expect([1, 2, 5].map((count) => plain(countImages(count)))).toEqual([
      '1 изображение',
      '2 изображения',
      '5 изображений',
    ]);
  });

  it('warns that a small photo gives no close-ups, where the photo itself is shown', () => {
    const small = { width: 768, height: 1024 };
    expect(plain(warnOfPhoto(small, 'views'))).toBe(
      'В этой фотографии 768×1024 пикселей: крупных планов не будет, вместо них — вещь целиком на других фонах',
    );
    expect(warnOfPhoto({ width: 1200, height: 1600 }, 'views')).toBeNull();
    expect(warnOfPhoto(small, 'poses')).toBeNull();
  });

  it('names missing frames and the stars that came back', () => {
    const shortfall = (made: number, starsSpent: number, reroll: { positions?: number[]; rerollOf?: string } = {}) => {
      const results = Array.from({ length: made }, (_, position) => sampleResult({ position }));
      return plain(describeShortfall({ results, starsSpent, positions: ALL_POSITIONS, rerollOf: null, ...reroll }));
    };
    expect(shortfall(5, 2)).toBeNull();
    expect(shortfall(4, 2)).toBe('Получились 4 из 5 изображений.');
    expect(shortfall(2, 1)).toBe('Получились 2 из 5 изображений. 1 звезда возвращена.');
    expect(shortfall(1, 1)).toBe('Получилось 1 из 5 изображений. 1 звезда возвращена.');
    expect(shortfall(1, 0, { positions: [3], rerollOf: 'g0' })).toBeNull();
    expect(shortfall(1, 0, { positions: [1, 3], rerollOf: 'g0' })).toBe('Получилось 1 из 2 изображений.');
  });
});
