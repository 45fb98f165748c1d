import { expect, test } from 'vitest';
import { chooseTurn, type Interruption } from '#pwa/lib/interruptions.ts';

const wanting = (...kinds: Interruption[]) => new Set(kinds);

test('the most important of those who wait comes first', () => {
  expect(chooseTurn(null, wanting('interview', 'push', 'install'), true)).toBe('install');
  expect(chooseTurn(null, wanting(), true)).toBeNull();
});

test('nobody comes while the person is in the middle of something', () => {
  expect(chooseTurn(null, wanting('interview', 'update'), false)).toBeNull();
});

test('whoever is shown stays until it is over, and only then is the next one’s turn', () => {
  expect(chooseTurn('interview', wanting('interview', 'update'), false)).toBe('interview');
  expect(chooseTurn('interview', wanting('update'), true)).toBe('update');
  expect(chooseTurn('interview', wanting('update'), false)).toBeNull();
});
