import { describe, expect, it } from 'vitest';
import { describeFailure } from '#pwa/features/generations/describe-failure.ts';
import { describeWait } from '#pwa/features/generations/waiting-time.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** No-break spaces are a matter of typography, not of words. */
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;

const started = { share: null, startedAt: '', finishedAt: null };
const local = (expectedSeconds: number | null) => ({ ...started, expectedSeconds, isRemote: false });
const remote = (expectedSeconds: number | null) => ({ ...started, expectedSeconds, isRemote: true });

describe('the estimate of the waiting time', () => {
  it.each([
    ['video', remote(null), 'Обычно 5–10 минут'],
    ['video', local(null), 'Обычно меньше минуты'],
    ['video', local(20), 'Обычно около 20 секунд'],
    ['video', remote(250), 'Обычно около 4 мин 30 с'],
    ['model_change', local(null), 'Обычно меньше минуты'],
    ['model_change', remote(130), 'Обычно около 2 мин 30 с'],
    ['photosession', local(null), 'Обычно несколько минут'],
    ['photosession', local(42), 'Обычно около 45 секунд'],
    ['try_on', remote(null), 'Обычно до двух минут'],
    ['video', null, null],
  ] satisfies [GenerationKind, object | null, string | null][])('of %s with %o is «%s»', (kind, progress, text) => {
    expect(plain(describeWait(kind, progress, 3))).toBe(text);
  });

  it('says once it has passed that it takes longer, and how much longer at the most', () => {
    expect(plain(describeWait('video', local(20), 20))).toBe('Обычно около 20 секунд');
    expect(plain(describeWait('video', local(20), 21))).toBe(
      'Дольше обычного, но генерация идёт: ещё не больше 30 минут',
    );
    expect(plain(describeWait('video', local(20), 9 * 60 + 1))).toContain('ещё не больше 21 минуты');
    expect(plain(describeWait('video', local(20), 40 * 60))).toContain('ещё не больше 1 минуты');
  });

  it('holds for what was only guessed too', () => {
    expect(plain(describeWait('video', remote(null), 10 * 60))).toBe('Обычно 5–10 минут');
    expect(plain(describeWait('video', remote(null), 10 * 60 + 1))).toContain('ещё не больше 20 минут');
    expect(plain(describeWait('video', local(null), 61))).toContain('ещё не больше 29 минут');
    expect(plain(describeWait('model_change', remote(null), 299))).toBe('Обычно до пяти минут');
  });
});

describe('the words about a failure', () => {
  it('say exactly once that stars are back', () => {
    expect(plain(describeFailure('Фото не подошло', 1))).toBe('Фото не подошло. 1 звезда возвращена.');
    expect(plain(describeFailure('Фото не подошло.', 2))).toBe('Фото не подошло. 2 звезды возвращены.');
    expect(plain(describeFailure('Не вышло. Звёзды возвращены', 2))).toBe('Не вышло. Звёзды возвращены');
    expect(plain(describeFailure('Фото не подошло', 0))).toBe('Фото не подошло');
  });
});
