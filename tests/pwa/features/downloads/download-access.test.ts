import { describe, expect, it } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { describeAccessError, describePremiumStatus } from '#pwa/features/downloads/download-access.ts';

describe('access to a download', () => {
  it.each([
    [503, 'Ошибка сервера (503)'],
    [418, 'Ошибка загрузки информации о доступе (418)'],
    [0, 'Ошибка загрузки информации о доступе'],
  ])('explains status %d', (status, text) => {
    expect(describeAccessError(new ApiError(status, 'x'), 'video')).toBe(text);
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
