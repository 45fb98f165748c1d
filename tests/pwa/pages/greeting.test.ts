import { expect, test } from 'vitest';
import { greet } from '#pwa/pages/app-page/greeting.ts';

test('the greeting follows the time of day', () => {
  expect([0, 4, 5, 11, 12, 17, 18, 22, 23].map(greet)).toEqual([
    'Доброй ночи',
    'Доброй ночи',
    'Доброе утро',
    'Доброе утро',
    'Добрый день',
    'Добрый день',
    'Добрый вечер',
    'Добрый вечер',
    'Доброй ночи',
  ]);
});
