import { describe, expect, it } from 'vitest';
import {
  describeSpent,
  describeTook,
  nameResultFile,
  titleResult,
} from '#pwa/features/model-changes/describe-generation.ts';

/** No-break spaces are a matter of typography, not of words. */
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ');

describe('the words about a change of model', () => {
  it('say how long it took', () => {
    expect(plain(describeTook(48))).toBe('Готово за 48 секунд');
    expect(plain(describeTook(1))).toBe('Готово за 1 секунду');
  });

  it('say what was spent and what is left', () => {
    expect(plain(describeSpent(1, 13))).toBe('1 звезда, осталось 13 звёзд');
    expect(plain(describeSpent(1, 1))).toBe('1 звезда, осталась 1 звезда');
  });

  it('promise in the title no more than was changed', () => {
    expect(plain(titleResult(true))).toBe('Вещь на новой модели');
    expect(plain(titleResult(false))).toBe('Новый фон готов');
  });

  it('name the downloaded file by the specification', () => {
    expect(nameResultFile(1_795_000_000_000)).toBe('change-model-result-1795000000000.jpg');
  });
});
