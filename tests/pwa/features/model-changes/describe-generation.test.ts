import { describe, expect, it } from 'vitest';
import {
  describeKeptPerson,
  describeSpent,
  describeTook,
  titleResult,
} from '#pwa/features/model-changes/describe-generation.ts';
import { nameResultFile } from '#pwa/features/model-changes/download-result.ts';

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

  it('admit that the person stayed, only where that is so', () => {
    const choice = { modelName: 'Нина', keepsBackground: false };
    const note = plain(describeKeptPerson(false, choice));
    expect(note).toContain('на фото осталось то, что было, сменился только фон');
    expect(note).toContain('Модель «Нина» — образец для генеративного движка');
    expect(note).toContain('ничего не списано');
    expect(describeKeptPerson(false, { ...choice, keepsBackground: true })).not.toContain('сменился');
    expect(describeKeptPerson(false, { ...choice, modelName: null })).toBeNull();
    expect(describeKeptPerson(true, choice)).toBeNull();
    expect(describeKeptPerson(null, choice)).toBeNull();
  });

  it('promise in the title no more than was changed', () => {
    const choice = { modelName: null, keepsBackground: false };
    expect(plain(titleResult(true, choice))).toBe('Вещь на новой модели');
    expect(plain(titleResult(false, choice))).toBe('Новый фон готов');
    expect(plain(titleResult(false, { ...choice, keepsBackground: true }))).toBe('Фон сохранён');
  });

  it('name the downloaded file by the specification', () => {
    expect(nameResultFile(1_795_000_000_000)).toBe('change-model-result-1795000000000.jpg');
  });
});
