import { expect, test } from 'vitest';
import { fitSide } from '#pwa/features/photos/shrink-photo.ts';

test('a shrunken photo has 4096 px at its longest side, and a small one stays as it is', () => {
  expect(fitSide({ width: 8192, height: 6144 })).toEqual({ width: 4096, height: 3072 });
  expect(fitSide({ width: 3000, height: 12_000 })).toEqual({ width: 1024, height: 4096 });
  expect(fitSide({ width: 900, height: 1200 })).toEqual({ width: 900, height: 1200 });
});

test('a small picture of it is as long as is asked', () => {
  expect(fitSide({ width: 3000, height: 4000 }, 336)).toEqual({ width: 252, height: 336 });
});
