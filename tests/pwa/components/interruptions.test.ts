import { expect, test } from 'vitest';
import { chooseTurn, type Interruption } from '#pwa/components/interruptions.ts';

const wanting = (...kinds: Interruption[]) => new Set(kinds);

test('the most important waiting panel comes first', () => {
  expect(chooseTurn(null, wanting('interview', 'push', 'install'), true)).toBe('install');
  expect(chooseTurn(null, wanting(), true)).toBeNull();
});

test('no panel appears while the person is busy', () => {
  expect(chooseTurn(null, wanting('interview', 'update'), false)).toBeNull();
});

test('a shown panel stays until it is closed, and only then the next one appears', () => {
  expect(chooseTurn('interview', wanting('interview', 'update'), false)).toBe('interview');
  expect(chooseTurn('interview', wanting('update'), true)).toBe('update');
  expect(chooseTurn('interview', wanting('update'), false)).toBeNull();
});
