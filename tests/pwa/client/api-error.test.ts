import { describe, expect, test } from 'vitest';
import { ApiError, describeError, readErrorAnswer, readJsonAnswer } from '#pwa/client/api-error.ts';

function thrownBy(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('no ApiError was thrown');
}

describe('readErrorAnswer', () => {
  test('takes the message and the code from the body', () => {
    const error = readErrorAnswer(
      409,
      'Conflict',
      '{"message":"Уже есть","code":"active_generation","generationId":"a1"}',
    );
    expect(error).toMatchObject({ status: 409, message: 'Уже есть', code: 'active_generation' });
    expect(error.details.generationId).toBe('a1');
  });

  test('falls back to the status text when the body is empty or not JSON', () => {
    expect(readErrorAnswer(502, 'Bad Gateway', '')).toMatchObject({ status: 502, message: 'Bad Gateway', body: null });
    expect(readErrorAnswer(502, 'Bad Gateway', '<html>')).toMatchObject({ message: 'Bad Gateway', code: null });
    expect(readErrorAnswer(502, '', '').message).toBe('Unknown error');
  });

  test('falls back to the raw text when the JSON has no message', () => {
    expect(readErrorAnswer(400, 'Bad Request', '{"a":1}').message).toBe('{"a":1}');
    expect(readErrorAnswer(400, 'Bad Request', '{"message":""}').message).toBe('{"message":""}');
    expect(readErrorAnswer(400, 'Bad Request', '"text"').message).toBe('"text"');
  });
});

describe('readJsonAnswer', () => {
  test('counts an empty body and the texts undefined and null as empty', () => {
    for (const text of ['', '  \n', 'undefined', 'null']) {
      expect(thrownBy(() => readJsonAnswer(text))).toMatchObject({
        status: 500,
        message: 'Empty response from server',
      });
    }
  });

  test('names a body that is not JSON', () => {
    expect(thrownBy(() => readJsonAnswer('<html>'))).toMatchObject({
      status: 500,
      message: 'Invalid JSON response from server',
    });
  });

  test('says both in other words where the specification has its own', () => {
    const messages = { empty: 'Пустой ответ от сервера', invalid: 'Некорректный ответ от сервера' };
    expect(thrownBy(() => readJsonAnswer('', messages)).message).toBe('Пустой ответ от сервера');
    expect(thrownBy(() => readJsonAnswer('{', messages)).message).toBe('Некорректный ответ от сервера');
  });

  test('parses everything else', () => {
    expect(readJsonAnswer('{"balance":0}')).toEqual({ balance: 0 });
  });
});

describe('describeError', () => {
  test('prefers the server’s own words, says when there is no network, else uses the fallback', () => {
    expect(describeError(readErrorAnswer(400, '', '{"message":"Неверный код"}'), 'нет')).toBe('Неверный код');
    expect(describeError(new ApiError(0, 'Unknown error'), 'нет')).toBe(
      'Нет связи с сервером. Проверьте интернет и повторите',
    );
    expect(describeError(readErrorAnswer(502, 'Bad Gateway', '<html>'), 'Ошибка при входе')).toBe('Ошибка при входе');
    expect(describeError(new TypeError('x'), 'Ошибка при входе')).toBe('Ошибка при входе');
  });

  test('keeps the words that the caller has for an answer that cannot be read', () => {
    const error = thrownBy(() => readJsonAnswer('', { empty: 'Пустой ответ от сервера' }));
    expect(describeError(error, 'нет')).toBe('Пустой ответ от сервера');
  });

  test('shows nothing of what was not written for a person', () => {
    const others = [
      readErrorAnswer(503, '', '{"message":"no healthy upstream"}'),
      readErrorAnswer(400, 'Bad Request', '{"detail":"сырой ответ"}'),
      readErrorAnswer(500, 'Internal Server Error', ''),
      thrownBy(() => readJsonAnswer('')),
      thrownBy(() => readJsonAnswer('{')),
    ];
    for (const error of others) expect(describeError(error, 'Попробуйте позже')).toBe('Попробуйте позже');
  });
});
