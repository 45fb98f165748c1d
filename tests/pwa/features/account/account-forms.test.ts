import { describe, expect, test } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { cleanCode, readPastedCode } from '#pwa/components/code-input.tsx';
import { describeCodeError, isCodeRefused } from '#pwa/features/account/describe-code-error.ts';
import { lazyResolver } from '#pwa/features/account/lazy-resolver.ts';
import { displayName, initials } from '#pwa/features/session/display-name.ts';

test('a form whose rules cannot be loaded is not sent, and says what to do', async () => {
  const resolve = lazyResolver<{ email: string }, unknown>(() => Promise.reject(new Error('offline')));
  const { errors } = await resolve({ email: 'a@b.ru' }, undefined, { fields: {}, shouldUseNativeValidation: false });
  expect(errors.email?.message).toBe('Не удалось проверить поля. Проверьте интернет и попробуйте ещё раз');
});

describe('the code input', () => {
  test('keeps six letters and digits of whatever is pasted', () => {
    expect(cleanCode(' 40 7-xyz\n9', 6)).toBe('407XYZ');
    expect(cleanCode('код: A1', 6)).toBe('A1');
  });

  test('finds the code in a pasted mail', () => {
    expect(readPastedCode('Подтвердите email\n\nk7xq2m\n\nВведите этот код на podium.example', 6)).toBe('K7XQ2M');
    expect(readPastedCode('K7X Q2M', 6)).toBe('K7XQ2M');
    expect(readPastedCode('просто слова', 6)).toBe('');
  });
});

describe('a refused code', () => {
  const refuse = (attemptsLeft?: number) =>
    describeCodeError(new ApiError(400, 'x', { message: 'Неверный код подтверждения', attemptsLeft }));

  test('has its last tries counted', () => {
    expect([4, 3, 2, 1, 0].map((left) => refuse(left).replaceAll('\u00a0', ' '))).toEqual([
      'Неверный код подтверждения',
      'Неверный код подтверждения. Осталось 3 попытки',
      'Неверный код подтверждения. Осталось 2 попытки',
      'Неверный код подтверждения. Осталась 1 попытка',
      'Неверный код подтверждения. Попыток больше нет: запросите новый код',
    ]);
  });

  test('is shown without a count when the server sends none or does not answer', () => {
    expect(refuse()).toBe('Неверный код подтверждения');
    expect(describeCodeError(new ApiError(0, 'Unknown error'))).toMatch(/^Нет связи/);
  });

  test('is not sent again as it is, and one that the server has not judged may be', () => {
    const errors = ['invalid_code', 'code_expired', 'too_many_requests'].map((code) => new ApiError(400, '', { code }));
    expect([...errors, new ApiError(0, 'Unknown error'), null].map(isCodeRefused)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the shown name', () => {
  test('is first and last name, else the username, else the beginning of the email', () => {
    const user = { firstName: 'Анна', lastName: 'Ким', username: 'anna.kim', email: 'a@b.ru' };
    expect(displayName(user)).toBe('Анна Ким');
    expect(displayName({ ...user, firstName: null, lastName: null })).toBe('anna.kim');
    expect(displayName({ ...user, firstName: null, lastName: null, username: '' })).toBe('a');
  });

  test('has two upper-case initials', () => {
    expect(initials('anna.kim')).toBe('AN');
    expect(initials('a')).toBe('A');
  });
});
