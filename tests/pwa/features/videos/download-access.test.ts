import { describe, expect, it } from 'vitest';
import { describeAccessError, describePremiumStatus } from '#pwa/features/videos/download-access.ts';
import { ApiError } from '#pwa/lib/api-error.ts';

describe('access to a download', () => {
  it.each([
    [401, 'Требуется авторизация (401)'],
    [403, 'У вас нет прав на это видео (403)'],
    [404, 'Видео не найдено (404)'],
    [500, 'Ошибка сервера (500)'],
    [503, 'Ошибка сервера (503)'],
    [418, 'Ошибка загрузки информации о доступе (418)'],
  ])('explains status %d', (status, text) => {
    expect(describeAccessError(new ApiError(status, 'x'))).toBe(text);
  });

  it('has no status to show when nobody answered', () => {
    expect(describeAccessError(new ApiError(0, 'x'))).toBe('Ошибка загрузки информации о доступе');
  });

  it('counts the purchases of a paying user', () => {
    const status = (transactionCount: number) =>
      describePremiumStatus({ hasSuccessfulTransactions: transactionCount > 0, transactionCount });
    expect([0, 1, 3, 11].map(status)).toEqual([
      'Бесплатный пользователь',
      'Платный пользователь (1 покупка)',
      'Платный пользователь (3 покупки)',
      'Платный пользователь (11 покупок)',
    ]);
  });
});
