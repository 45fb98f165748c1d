import { describe, expect, it } from 'vitest';
import {
  describeExpectedTime,
  describeRemainingStars,
  describeShare,
  describeWait,
} from '#pwa/features/videos/generation-estimate.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the estimate of the waiting time', () => {
  it.each([
    [{ isGenerative: true, expectedSeconds: null }, 'Обычно 5–10 минут'],
    [{ isGenerative: false, expectedSeconds: null }, 'Обычно меньше минуты'],
    [{ isGenerative: false, expectedSeconds: 21 }, 'Обычно около 25 секунд'],
    [{ isGenerative: true, expectedSeconds: 58 }, 'Обычно около минуты'],
    [{ isGenerative: true, expectedSeconds: 250 }, 'Обычно около 4 минут'],
    [{ isGenerative: true, expectedSeconds: 1260 }, 'Обычно около 21 минуты'],
  ])('of %o is «%s»', (engine, text) => {
    expect(plain(describeExpectedTime(engine))).toBe(text);
  });

  it('admits when it takes longer than usual', () => {
    const engine = { isGenerative: false, expectedSeconds: 20 };
    expect(plain(describeWait(engine, 30))).toBe('Обычно около 20 секунд');
    expect(describeWait(engine, 31)).toBe('Дольше обычного, но генерация идёт');
    expect(plain(describeWait({ isGenerative: true, expectedSeconds: null }, 5000))).toBe('Обычно 5–10 минут');
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
