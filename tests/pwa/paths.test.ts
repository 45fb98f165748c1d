import { describe, expect, test } from 'vitest';
import { buildAuthPath, hasBuyStarsQuery, readNextPath, withoutBuyStarsQuery } from '#pwa/paths.ts';

const next = (value: string) => readNextPath(`?${new URLSearchParams({ next: value })}`);

describe('readNextPath', () => {
  test('gives back a path of this site', () => {
    expect(readNextPath(buildAuthPath('/dashboard/gallery?tab=video#last').replace('/auth', ''))).toBe(
      '/dashboard/gallery?tab=video#last',
    );
    expect(next('/app')).toBe('/app');
  });

  test('refuses what may lead to another site', () => {
    expect(['https://evil.example/', '/\\evil.example', '/app/..//evil.example', ''].map(next)).toEqual(
      Array(4).fill(null),
    );
    expect(readNextPath('')).toBeNull();
  });

  test('refuses the sign-in pages, which would lead round in a circle', () => {
    expect(['/auth', '/auth/reset', '/verify-email', '/'].map(next)).toEqual([null, null, null, null]);
  });
});

describe('the query that opens the buy-stars dialog', () => {
  test('is recognised and taken away, other parts stay', () => {
    expect(hasBuyStarsQuery('?openBuyStars=true&source=pwa')).toBe(true);
    expect(hasBuyStarsQuery('?openBuyStars=false')).toBe(false);
    expect(withoutBuyStarsQuery('?openBuyStars=true&source=pwa')).toBe('?source=pwa');
    expect(withoutBuyStarsQuery('?openBuyStars=true')).toBe('');
  });
});
