import { describe, expect, it } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { describeAccessError, describePremiumStatus } from '#pwa/features/downloads/download-access.ts';

describe('access to a download', () => {
  it.each([
    [401, 'Требуется авторизация (401)'],
    [403, 'У вас нет прав на это видео (403)'],
    [404, 'Видео не найдено (404)'],
    [500, 'Ошибка сервера (500)'],
    [503, 'Ошибка сервера (503)'],
    [418, 'Ошибка загрузки информации о доступе (418)'],
  ])('explains status %d', (status, text) => {
    expect(describeAccessError(new ApiError(status, 'x'), 'video')).toBe(text);
  });

  it.each([
    [403, 'У вас нет прав на это изображение (403)'],
    [404, 'Изображение не найдено (404)'],
  ])('speaks of an image where one is meant: status %d', (status, text) => {
    expect(describeAccessError(new ApiError(status, 'x'), 'image')).toBe(text);
  });

  it('has no status to show when nobody answered', () => {
    expect(describeAccessError(new ApiError(0, 'x'), 'video')).toBe('Ошибка загрузки информации о доступе');
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
