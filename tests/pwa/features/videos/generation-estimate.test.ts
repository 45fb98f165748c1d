import { describe, expect, it } from 'vitest';
import { describeRemainingStars, describeShare, describeWait } from '#pwa/features/videos/generation-estimate.ts';

const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;

describe('the estimate of the waiting time', () => {
  it.each([
    [{ isGenerative: true }, null, 'Обычно 5–10 минут'],
    [{ isGenerative: false }, null, 'Обычно меньше минуты'],
    [{ isGenerative: false }, 21, 'Обычно около 25 секунд'],
    [null, 58, 'Обычно около 1 мин'],
    [{ isGenerative: true }, 250, 'Обычно около 4 мин 30 с'],
    [null, null, null],
  ])('of %o that is expected to take %s s is «%s»', (engine, expectedSeconds, text) => {
    expect(plain(describeWait(engine, expectedSeconds, 3))).toBe(text);
  });

  it('says once it has passed that it takes longer, and how much longer at the most', () => {
    const local = { isGenerative: false };
    expect(plain(describeWait(local, 20, 20))).toBe('Обычно около 20 секунд');
    expect(plain(describeWait(local, 20, 21))).toBe('Дольше обычного, но генерация идёт: ещё не больше 30 минут');
    expect(plain(describeWait(local, 20, 9 * 60 + 1))).toContain('ещё не больше 21 минуты');
    expect(plain(describeWait(local, 20, 40 * 60))).toContain('ещё не больше 1 минуты');
  });

  it('holds for what was only guessed too', () => {
    expect(plain(describeWait({ isGenerative: true }, null, 10 * 60))).toBe('Обычно 5–10 минут');
    expect(plain(describeWait({ isGenerative: true }, null, 10 * 60 + 1))).toContain('ещё не больше 20 минут');
    expect(plain(describeWait({ isGenerative: false }, null, 61))).toContain('ещё не больше 29 минут');
  });

  it('says the percentage only while it can move', () => {
    expect(describeShare(null)).toBeNull();
    expect(plain(describeShare(0.421) ?? '')).toBe('42 %');
    expect(plain(describeShare(0.94) ?? '')).toBe('94 %');
    expect(describeShare(0.95)).toBe('Сохраняем видео');
    expect(describeShare(1)).toBe('Сохраняем видео');
  });

  it('says what remains in agreeing words', () => {
    expect([0, 1, 2, 5, 21].map((stars) => plain(describeRemainingStars(stars)))).toEqual([
      'Останется 0 звёзд',
      'Останется 1 звезда',
      'Останутся 2 звезды',
      'Останется 5 звёзд',
      'Останется 21 звезда',
    ]);
  });
});
