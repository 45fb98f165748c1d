import { expect, test } from 'vitest';
import { countStars, countStarsPaid } from '#shared/rules/plurals.ts';

const plain = (text: string) => text.replace('\u00a0', ' ');

test.each([
  [1, '1 звезда', '1 звезду'],
  [2, '2 звезды', '2 звезды'],
  [5, '5 звёзд', '5 звёзд'],
  [21, '21 звезда', '21 звезду'],
])('%i stars are named as the sentence wants them', (count, named, paid) => {
  expect(plain(countStars(count))).toBe(named);
  expect(plain(countStarsPaid(count))).toBe(paid);
});
