import { expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { describeRetryTime } from '#shared/rules/waiting-time.ts';

test.each([
  [0, 'через 1 секунду'],
  [1, 'через 1 секунду'],
  [22, 'через 22 секунды'],
  [59.2, 'через 60 секунд'],
  [61, 'через 2 минуты'],
  [600, 'через 10 минут'],
  [3600, 'через 60 минут'],
  [86_400, 'через 24 часа'],
])('a retry in %s seconds is one %s', (seconds, expected) => {
  expect(describeRetryTime(seconds).replaceAll('\u00a0', ' ')).toBe(expected);
});

test('a refusal that passes says when, where that is known', () => {
  const textOf = (...[code, extra]: ConstructorParameters<typeof AppError>) =>
    new AppError(code, extra).message.replaceAll('\u00a0', ' ');
  expect(textOf('code_requested_too_soon', { retryAfter: 41 })).toBe('Новый код можно запросить через 41 секунду');
  expect(textOf('too_many_requests', { retryAfter: 125 })).toBe('Слишком много запросов. Повторите через 3 минуты');
  expect(textOf('too_many_requests')).toBe('Слишком много запросов. Подождите немного и повторите');
  expect(textOf('unavailable', { retryAfter: 5 })).toMatch(/^Сервис временно недоступен/);
});
